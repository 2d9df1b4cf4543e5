import * as vscode from 'vscode';
import type { PolicyProblem } from '../../core/policy/problem.js';

/**
 * What is underlined in policy files. What is said of an open document comes before what is said of the file as it was loaded, so
 * that nothing is told twice.
 */
export class PolicyMarks implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('lacuna');
  readonly #loaded = new Map<string, readonly PolicyProblem[]>();
  readonly #open = new Map<string, readonly PolicyProblem[]>();

  /** What loading found, by path of the file. */
  loaded(problems: ReadonlyMap<string, readonly PolicyProblem[]>): void {
    const before = [...this.#loaded.keys()];
    this.#loaded.clear();
    for (const [path, list] of problems) this.#loaded.set(vscode.Uri.file(path).toString(), list);
    for (const uri of new Set([...before, ...this.#loaded.keys()])) this.#show(uri);
  }

  /** What is wrong with an open document; null when it is closed. */
  open(uri: vscode.Uri, problems: readonly PolicyProblem[] | null): void {
    if (problems === null) this.#open.delete(uri.toString());
    else this.#open.set(uri.toString(), problems);
    this.#show(uri.toString());
  }

  dispose(): void {
    this.#collection.dispose();
  }

  #show(uri: string): void {
    const problems = this.#open.get(uri) ?? this.#loaded.get(uri) ?? [];
    this.#collection.set(vscode.Uri.parse(uri), problems.map(diagnostic));
  }
}

function diagnostic(problem: PolicyProblem): vscode.Diagnostic {
  const range = new vscode.Range(problem.line - 1, problem.column - 1, problem.endLine - 1, problem.endColumn - 1);
  const severity = problem.severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const shown = new vscode.Diagnostic(range, problem.message, severity);
  shown.source = 'lacuna';
  shown.code = problem.code;
  return shown;
}
