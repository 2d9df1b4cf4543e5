import * as vscode from 'vscode';
import type { AgentEvent, Ending, Handled } from '../../core/agent/agent.js';
import type { Entry, Ledger } from '../../core/gate/ledger.js';
import type { Lacuna } from '../../core/lacuna/lacuna.js';
import { proposalWords } from '../words.js';
import { endingWords, sumWords } from './endingWords.js';
import { fileOf, iconOf, subjectCode, tailOf, verbOf } from './lines.js';
import { code, plain } from './markdown.js';

const { t } = vscode.l10n;

/** Commands that links in an answer may run: nothing that a model writes can name another. */
const LINKS = { enabledCommands: ['lacuna.showDetails'] };

interface Settled {
  readonly proposed: Lacuna;
  readonly handled: Handled;
}

/** Shows a run in the chat while it goes on: words as they come, the plan as a list, and a line for each Lacuna. */
export class Show {
  readonly #stream: vscode.ChatResponseStream;
  readonly #stop: () => void;
  readonly #asked = new Set<string>();
  /** Lacunas in the order in which they were proposed; those of a batch end in any order. */
  readonly #proposed: string[] = [];
  #batch: Settled[] = [];
  /** What stands last in the answer: lines follow each other closely, words stand apart. */
  #last: 'nothing' | 'words' | 'line' = 'nothing';

  constructor(stream: vscode.ChatResponseStream, ledger: Ledger) {
    this.#stream = stream;
    this.#stop = ledger.onChange(() => this.#waitFor(ledger.entries.at(-1) ?? null));
  }

  /** Takes in what goes on. In the order in which it happens. */
  hear(event: AgentEvent): void {
    if (event.type === 'settled' && event.batch !== null) {
      this.#batch.push({ proposed: event.proposed, handled: event.handled });
      if (this.#batch.length >= event.batch.size) this.#endBatch();
      return;
    }
    if (event.type !== 'proposed' && event.type !== 'output') this.#endBatch();
    switch (event.type) {
      case 'text':
        if (event.depth === 0) this.#words(event.text);
        return;
      case 'plan':
        return this.#plan(event);
      case 'drifted':
        return this.#line(`$(debug-step-over) ${t('The work has left the plan: another one is asked for.')}`);
      case 'proposed':
        this.#proposed.push(event.lacuna.id);
        return this.#stream.progress(
          event.batch === null ? `${proposalWords(event.lacuna)}…` : t('Reading {0} files…', event.batch.size),
        );
      case 'settled':
        return this.#settled({ proposed: event.proposed, handled: event.handled });
      case 'malformed':
        return this.#stream.progress(t('The model’s call of {0} could not be read; asking again…', event.name));
      case 'asking-again':
        return this.#stream.progress(t('{0} Asking again…', event.message));
      case 'delegated':
        return this.#line(`$(type-hierarchy-sub) ${t('Sub-agent')}: ${plain(event.lacuna.params.goal)}`);
      case 'output':
        return;
    }
  }

  /** Closes the answer: how it ended, in a sentence, and what was done in numbers. */
  end(ending: Ending): void {
    this.#stop();
    this.#endBatch();
    const words = endingWords(ending);
    // A brain's failure is shown by the editor itself, as the error of the answer.
    if (words !== '' && ending.type !== 'brain-failed') this.#words(`\n\n${words}`);
    if (ending.tally.proposed > 0) this.#line(`\n\n$(pulse) ${sumWords(ending.tally)}`);
  }

  #words(text: string): void {
    if (this.#last === 'line') this.#stream.markdown('\n\n');
    this.#stream.markdown(text);
    this.#last = 'words';
  }

  #line(text: string): void {
    const markdown = new vscode.MarkdownString(`${this.#last === 'words' ? '\n\n' : ''}${text}  \n`, true);
    markdown.isTrusted = LINKS;
    this.#stream.markdown(markdown);
    this.#last = 'line';
  }

  #plan({ plan, notes, isFirst }: AgentEvent & { type: 'plan' }): void {
    const title = isFirst ? t('Plan') : t('Changed plan');
    const note = (step: string | null): string[] =>
      notes
        .filter((one) => one.step === step)
        .map(({ weight, message }) => `   - $(${weight === 'refused' ? 'circle-slash' : 'warning'}) ${plain(message)}`);
    const steps = plan.steps.flatMap(({ id, task, resources }, index) => [
      `${index + 1}. ${plain(task)}${resources.length === 0 ? '' : ` · ${resources.map((one) => code(one, 60)).join(', ')}`}`,
      ...note(id),
    ]);
    const whole = note(null).map((line) => line.trimStart());
    this.#line([`\n\n$(list-ordered) **${title}:** ${plain(plan.goal)}\n`, ...steps, ...whole, ''].join('\n'));
  }

  #settled({ proposed, handled }: Settled): void {
    const { depth } = proposed;
    const indent = depth === 0 ? '' : `${'&emsp;'.repeat(depth)}↳ `;
    const uri = fileOf(handled.lacuna);
    const start = `${indent}${iconOf(handled)} ${verbOf(proposed)} `;
    if (uri === null || handled.outcome.type === 'refused') {
      this.#line(`${start}${subjectCode(proposed)}${tailOf(proposed, handled)}`);
      return;
    }
    this.#withFiles(start, [uri], tailOf(proposed, handled));
    if (handled.outcome.type === 'filled' && proposed.kind === 'ReadFile') this.#stream.reference(uri);
  }

  /** A line with links to files in it. */
  #withFiles(start: string, uris: readonly vscode.Uri[], tail: string): void {
    const part = (text: string): void => {
      const markdown = new vscode.MarkdownString(text, true);
      markdown.isTrusted = LINKS;
      this.#stream.markdown(markdown);
    };
    part(`${this.#last === 'words' ? '\n\n' : ''}${start}`);
    for (const [index, uri] of uris.entries()) {
      if (index > 0) part(', ');
      this.#stream.anchor(uri, vscode.workspace.asRelativePath(uri));
    }
    part(`${tail}  \n`);
    this.#last = 'line';
  }

  /** Reads that ran side by side and went well stand in one line; the others stand alone. */
  #endBatch(): void {
    const at = ({ proposed }: Settled): number => this.#proposed.indexOf(proposed.id);
    const batch = this.#batch.sort((a, b) => at(a) - at(b));
    this.#batch = [];
    const isPlain = ({ handled }: Settled): boolean =>
      handled.outcome.type === 'filled' && handled.decision.verdict === 'allow' && fileOf(handled.lacuna) !== null;
    const reads = batch.filter((one) => isPlain(one) && one.proposed.kind === 'ReadFile' && one.proposed.depth === 0);
    if (reads.length > 1) {
      const uris = reads.flatMap(({ handled }) => fileOf(handled.lacuna) ?? []);
      this.#withFiles(`$(check) ${t('Read')} `, uris, '');
      for (const uri of uris) this.#stream.reference(uri);
    }
    for (const one of batch) if (reads.length < 2 || !reads.includes(one)) this.#settled(one);
  }

  /** Says that something waits for the person, once for each Lacuna. */
  #waitFor(entry: Entry | null): void {
    if (entry?.progression !== 'asking' || this.#asked.has(entry.lacuna.id)) return;
    this.#asked.add(entry.lacuna.id);
    this.#stream.progress(t('Waiting for your answer: {0}', proposalWords(entry.lacuna)));
  }
}
