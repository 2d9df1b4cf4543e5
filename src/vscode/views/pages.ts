import * as vscode from 'vscode';

/** Scheme of pages that are only shown. */
const SCHEME = 'lacuna-page';
const MAX_PAGES = 50;

/** Texts that are shown to a person and are no files: what a file would become, what a test found. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** Keeps a text; the address under which the editor shows it, with a name whose ending gives the language. */
  put(name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String((this.#count += 1)) });
    this.#texts.set(uri.toString(), text);
    const oldest = this.#texts.keys().next().value;
    if (this.#texts.size > MAX_PAGES && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
