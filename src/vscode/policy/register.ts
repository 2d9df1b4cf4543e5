import * as vscode from 'vscode';
import type { PolicySource } from '../../core/policy/load.js';
import type { PolicyMarks } from './marks.js';
import { MAYBE_POLICY, sourceOf } from './sources.js';
import type { Workbench } from './workbench.js';

const { t } = vscode.l10n;

/** How long a person must stop typing before their policy is checked. */
const QUIET_MS = 400;

/** Scheme of the page that tells what a policy makes of a command. */
export const TRIED = 'lacuna-tried';

/** What the language features of policies hang on. */
export interface PolicyLanguage {
  readonly roots: () => readonly string[];
  readonly marks: PolicyMarks;
  readonly report: (error: unknown) => void;
}

/**
 * The language of policies in the editor: completion, hover, quick fixes, marks while one types, and the lenses "Run tests" and
 * "Try a command…". Whatever is heavy is loaded when the first policy is opened.
 */
export function registerPolicyLanguage({ roots, marks, report }: PolicyLanguage): vscode.Disposable {
  const language = (): Promise<typeof import('./language.js')> => import('./language.js');
  let bench: Promise<Workbench> | null = null;
  const workbench = (): Promise<Workbench> =>
    (bench ??= import('./workbench.js').then(({ Workbench: Bench }) => new Bench(roots)));
  const isPolicy = (document: vscode.TextDocument): boolean => sourceOf(document, roots()) !== null;
  const tried = new TriedPages();
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      MAYBE_POLICY,
      {
        provideCompletionItems: async (document, position) =>
          isPolicy(document) ? (await language()).completions(document, position) : [],
      },
      ' ',
      '[',
      ':',
    ),
    vscode.languages.registerHoverProvider(MAYBE_POLICY, {
      provideHover: async (document, position) =>
        isPolicy(document) ? (await language()).hover(document, position) : null,
    }),
    vscode.languages.registerCodeActionsProvider(MAYBE_POLICY, {
      provideCodeActions: async (document, place, { diagnostics }) =>
        isPolicy(document) ? (await language()).fixes(document, place, diagnostics) : [],
    }),
    vscode.languages.registerCodeLensProvider(MAYBE_POLICY, {
      provideCodeLenses: (document) => (isPolicy(document) ? lenses(document) : []),
    }),
    vscode.workspace.registerTextDocumentContentProvider(TRIED, tried),
    vscode.commands.registerCommand('lacuna.policy.runTests', async (uri?: vscode.Uri) => {
      const found = await policyOf(uri, roots);
      return found === null ? null : await runTests(found, await workbench(), marks);
    }),
    vscode.commands.registerCommand('lacuna.policy.try', async (uri?: vscode.Uri, command?: string) => {
      const found = await policyOf(uri, roots);
      if (found !== null) await tryCommand(found, await workbench(), tried, command);
    }),
    keepChecked({ roots, marks, report }, workbench),
    tried,
  );
}

interface Opened {
  readonly document: vscode.TextDocument;
  readonly source: PolicySource;
}

/** The policy that a command was called for: the one named, else the one in the active editor, else the workspace's. */
async function policyOf(uri: vscode.Uri | undefined, roots: () => readonly string[]): Promise<Opened | null> {
  const active = vscode.window.activeTextEditor?.document;
  const document = uri === undefined ? active : await vscode.workspace.openTextDocument(uri);
  const source = document === undefined ? null : sourceOf(document, roots());
  if (document !== undefined && source !== null) return { document, source };
  const own = await workspacePolicy();
  const ownSource = own === null ? null : sourceOf(own, roots());
  if (own !== null && ownSource !== null) return { document: own, source: ownSource };
  void vscode.window.showInformationMessage(t('Open a policy file first, such as .lacuna/policy.yaml.'));
  return null;
}

/** The policy file of the first workspace folder; null where there is none yet. */
async function workspacePolicy(): Promise<vscode.TextDocument | null> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return null;
  const uri = vscode.Uri.joinPath(folder.uri, '.lacuna', 'policy.yaml');
  const [found] = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '.lacuna/policy.yaml'), null, 1);
  return found === undefined ? null : vscode.workspace.openTextDocument(uri);
}

function lenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const tests = document.getText().search(/^tests:/m);
  const place = tests < 0 ? top : new vscode.Range(document.positionAt(tests), document.positionAt(tests));
  return [
    new vscode.CodeLens(place, {
      command: 'lacuna.policy.runTests',
      title: t('$(beaker)\u00a0Run tests'),
      arguments: [document.uri],
    }),
    new vscode.CodeLens(top, {
      command: 'lacuna.policy.try',
      title: t('$(terminal)\u00a0Try a command…'),
      arguments: [document.uri],
    }),
  ];
}

/** Runs the tests and says how many passed; those that fail are underlined. Resolves with the numbers. */
async function runTests(
  { document, source }: Opened,
  workbench: Workbench,
  marks: PolicyMarks,
): Promise<{ readonly passed: number; readonly failed: number } | null> {
  const { problems, results } = await workbench.check(document, source);
  marks.open(document.uri, problems);
  if (results === null) {
    void vscode.window.showErrorMessage(t('The policy has mistakes; mend them first. {0}', problems[0]?.message ?? ''));
    return null;
  }
  const passed = results.filter(({ isPassed }) => isPassed).length;
  const failed = results.length - passed;
  if (results.length === 0) void vscode.window.showInformationMessage(t('This policy has no tests.'));
  else if (failed === 0) void vscode.window.showInformationMessage(t('{0} tests passed.', passed));
  else {
    const first = results.find(({ isPassed }) => !isPassed);
    const message = t('{0} passed, {1} failed. {2}: {3}', passed, failed, first?.name ?? '', first?.message ?? '');
    void vscode.window.showWarningMessage(message);
  }
  return { passed, failed };
}

/** Asks for a command and shows what it would do, every rule considered, and why the winner won. Nothing is run. */
async function tryCommand(
  { document, source }: Opened,
  workbench: Workbench,
  tried: TriedPages,
  given: string | undefined,
): Promise<void> {
  const command =
    given ??
    (await vscode.window.showInputBox({
      title: t('Try a command'),
      prompt: t('It is judged by this policy as it stands here; it is not run.'),
      placeHolder: 'git push origin main',
      ignoreFocusOut: true,
    }));
  if (command === undefined || command.trim() === '') return;
  const lines = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t('Judging the command…') },
    () => workbench.explain(document, source, command),
  );
  const uri = tried.show(command, [`$ ${command}`, '', ...lines].join('\n'));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
    viewColumn: vscode.ViewColumn.Beside,
    preview: true,
    preserveFocus: true,
  });
}

/** Pages that tell what a policy made of a command, each until another one is tried. */
class TriedPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  #text = '';

  show(command: string, text: string): vscode.Uri {
    this.#text = text;
    const name = command.replace(/[\\/?#]/g, ' ').slice(0, 60);
    const uri = vscode.Uri.from({ scheme: TRIED, path: `/${name}.txt` });
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(): string {
    return this.#text;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Checks policies while they are open, a moment after each change. */
function keepChecked({ roots, marks, report }: PolicyLanguage, workbench: () => Promise<Workbench>): vscode.Disposable {
  const timers = new Map<string, NodeJS.Timeout>();
  const check = async (document: vscode.TextDocument): Promise<void> => {
    const source = sourceOf(document, roots());
    if (source === null || document.isClosed) return;
    const { version } = document;
    const { problems } = await (await workbench()).check(document, source);
    if (!document.isClosed && document.version === version) marks.open(document.uri, problems);
  };
  const soon = (document: vscode.TextDocument): void => {
    if (sourceOf(document, roots()) === null) return;
    const key = document.uri.toString();
    clearTimeout(timers.get(key));
    timers.set(
      key,
      setTimeout(() => {
        timers.delete(key);
        check(document).catch(report);
      }, QUIET_MS),
    );
  };
  for (const document of vscode.workspace.textDocuments) soon(document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(soon),
    vscode.workspace.onDidChangeTextDocument(({ document }) => soon(document)),
    vscode.workspace.onDidCloseTextDocument((document) => marks.open(document.uri, null)),
    { dispose: () => timers.forEach((timer) => clearTimeout(timer)) },
  );
}
