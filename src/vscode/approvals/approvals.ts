import * as vscode from 'vscode';
import type { Cancel } from '../../core/cancel.js';
import { parseJson } from '../../core/json.js';
import type { Approval, Approver, Question } from '../../core/ports.js';
import { editDraft } from './draft.js';
import { questionText } from './question.js';

const { t } = vscode.l10n;

/** A question that waits for an answer. */
export interface Waiting {
  readonly question: Question;
  readonly sinceMs: number;
}

interface Pending extends Waiting {
  readonly settle: (approval: Approval) => void;
}

/** What the approver needs besides the editor. */
export interface ApprovalOptions {
  /** Opens everything that is known of a Lacuna. */
  readonly showDetails: (sessionId: string, lacunaId: string) => Promise<void>;
  /** How long a question waits; null: as long as the window is open. */
  readonly timeoutMs: () => number | null;
  readonly nowMs: () => number;
  /** Why a rule that the person changed cannot be used; null when it can. */
  readonly ruleProblem: (rule: string) => string | null;
}

/**
 * Asks the person in a modal dialog of our own, so that no auto-approval of the editor can answer for them. One question is on
 * the screen at a time; the others wait, and can be seen waiting. Closing the dialog is a no.
 */
export class Approvals implements Approver {
  readonly #options: ApprovalOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Set<() => void>();
  /** Id of the question on the screen; null when none is. */
  #shown: string | null = null;
  /** Questions that the person put aside to look closer: they do not come back by themselves. */
  readonly #aside = new Set<string>();

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /** Questions without an answer, oldest first. */
  get waiting(): readonly Waiting[] {
    return [...this.#pending.values()];
  }

  /** Calls back when the waiting questions have changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask(question: Question, cancel: Cancel): Promise<Approval> {
    if (cancel.aborted) return { type: 'nobody', why: 'cancelled' };
    const { id } = question.lacuna;
    return new Promise((resolve) => {
      const timeoutMs = this.#options.timeoutMs();
      const timer =
        timeoutMs === null ? null : setTimeout(() => settle({ type: 'nobody', why: 'timed-out' }), timeoutMs);
      const onAbort = (): void => settle({ type: 'nobody', why: 'cancelled' });
      const settle = (approval: Approval): void => {
        if (timer !== null) clearTimeout(timer);
        cancel.removeEventListener('abort', onAbort);
        this.#pending.delete(id);
        this.#aside.delete(id);
        this.#tell();
        resolve(approval);
      };
      cancel.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, { question, sinceMs: this.#options.nowMs(), settle });
      this.#tell();
      void this.#showNext();
    });
  }

  /** Puts a waiting question on the screen: the one named, else the oldest. */
  async answer(lacunaId: string | null): Promise<void> {
    const id = lacunaId ?? [...this.#pending.keys()][0];
    if (id === undefined || this.#shown !== null || !this.#pending.has(id)) return;
    this.#aside.delete(id);
    await this.#show(id);
  }

  async #showNext(): Promise<void> {
    const next = [...this.#pending.keys()].find((id) => !this.#aside.has(id));
    if (this.#shown === null && next !== undefined) await this.#show(next);
  }

  async #show(id: string): Promise<void> {
    this.#shown = id;
    try {
      for (let pending = this.#pending.get(id); pending !== undefined; pending = this.#pending.get(id)) {
        const approval = await this.#dialog(pending.question);
        if (!this.#pending.has(id)) {
          void vscode.window.showInformationMessage(
            t('This question was no longer open: your answer changed nothing.'),
          );
          break;
        }
        if (approval === 'aside') {
          this.#aside.add(id);
          this.#tell();
          break;
        }
        if (approval !== 'again') pending.settle(approval);
      }
    } finally {
      this.#shown = null;
      void this.#showNext();
    }
  }

  /** One round of the dialog. `again`: the person went back from a second step. `aside`: they want to look first. */
  async #dialog(question: Question): Promise<Approval | 'again' | 'aside'> {
    const { lacuna, analysis, alwaysRule } = question;
    const { standingKey } = await import('../../core/gate/standing.js');
    const { message, detail } = questionText(question);
    const once = t('Allow Once');
    const session = t('Allow for Session');
    const always = t('Always Allow…');
    const change = t('Change…');
    const refuse = t('Refuse, Because…');
    const look = t('Look Closer');
    // The first one has the focus: someone who was typing when the dialog came up must not have approved by a stray Enter.
    const choices = [
      look,
      once,
      ...(standingKey(lacuna, analysis) === null ? [] : [session]),
      ...(alwaysRule === null ? [] : [always]),
      change,
      refuse,
    ];
    const choice = await vscode.window.showWarningMessage<vscode.MessageItem>(
      message,
      { modal: true, detail },
      ...choices.map((title) => ({ title })),
      { title: t('Refuse'), isCloseAffordance: true },
    );
    switch (choice?.title) {
      case once:
        return { type: 'once' };
      case session:
        return { type: 'session' };
      case always:
        return (await this.#always(alwaysRule ?? '')) ?? 'again';
      case change:
        return (await changed(question)) ?? 'again';
      case refuse:
        return (await refused()) ?? 'again';
      case look:
        await this.#options.showDetails(lacuna.sessionId, lacuna.id);
        return 'aside';
      default:
        return { type: 'no', reason: '' };
    }
  }

  /** Shows the exact rule before anything is written, and lets the person change it. Null: back to the question. */
  async #always(rule: string): Promise<Approval | null> {
    const write = t('Write This Rule and Allow');
    const edit = t('Edit It First');
    const choice = await vscode.window.showWarningMessage(
      t('This rule will be added to your policy file. From then on it answers, and you are not asked.'),
      { modal: true, detail: rule },
      write,
      edit,
    );
    if (choice === write) return { type: 'always', rule };
    if (choice !== edit) return null;
    const problem = this.#options.ruleProblem;
    const edited = await editDraft({ content: rule, language: 'yaml', useLabel: write, problem });
    return edited === null ? null : { type: 'always', rule: edited };
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Lets the person change what is proposed; it is judged again from the start. A one-line command is changed in a box. */
async function changed({ lacuna }: Question): Promise<Approval | null> {
  if (lacuna.kind === 'ExecuteShell' && !lacuna.params.command.includes('\n')) {
    const command = await vscode.window.showInputBox({
      title: t('Change the command'),
      prompt: t('The changed command is judged again from the start.'),
      value: lacuna.params.command,
      ignoreFocusOut: true,
    });
    const isChanged = command !== undefined && command.trim() !== '' && command !== lacuna.params.command;
    return isChanged ? { type: 'changed', params: { ...lacuna.params, command } } : null;
  }
  const text = await editDraft({
    content: JSON.stringify(lacuna.params, null, 2),
    language: 'json',
    useLabel: t('Propose It Like This'),
    problem: (draft) => (parseJson(draft) === undefined ? t('This is not JSON.') : null),
  });
  return text === null ? null : { type: 'changed', params: parseJson(text) };
}

/** Asks why. Null when the person went back. */
async function refused(): Promise<Approval | null> {
  const reason = await vscode.window.showInputBox({
    title: t('Why not?'),
    prompt: t('The agent reads it and can do it another way.'),
    ignoreFocusOut: true,
  });
  return reason === undefined ? null : { type: 'no', reason: reason.trim() };
}
