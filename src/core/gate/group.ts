import type { Cancel } from '../cancel.js';
import type { Approval, Approver, Question } from '../ports.js';

/** A question that waits for the others of its group. */
interface Asked {
  readonly question: Question;
  readonly cancel: Cancel;
  readonly answer: (approval: Promise<Approval>) => void;
}

/** Most questions that are listed in one. */
const MOST_LISTED = 12;

/**
 * Reads that were proposed together. Those of them that a person has to answer are put to the person as one question, once all of
 * the group have been judged; the answer holds for all of them. What a member asks later on is a question of its own.
 */
export class Group implements Approver {
  readonly #approver: Approver;
  readonly #describe: (question: Question) => string;
  /** Members that have not been judged yet. */
  readonly #open: Set<string>;
  readonly #asked: Asked[] = [];

  constructor(lacunaIds: readonly string[], approver: Approver, describe: (question: Question) => string) {
    this.#open = new Set(lacunaIds);
    this.#approver = approver;
    this.#describe = describe;
  }

  ask(question: Question, cancel: Cancel): Promise<Approval> {
    if (!this.#open.has(question.lacuna.id)) return this.#approver.ask(question, cancel);
    return new Promise((resolve) => {
      this.#asked.push({ question, cancel, answer: resolve });
      this.judged(question.lacuna.id);
    });
  }

  /** Tells that a member has been judged: it needs no answer, or has asked. The last one lets the question be put. */
  judged(lacunaId: string): void {
    if (this.#open.delete(lacunaId) && this.#open.size === 0) this.#put();
  }

  #put(): void {
    const [first, ...rest] = this.#asked;
    if (first === undefined) return;
    const together = rest.length === 0 ? first.question : this.#joined(first.question, rest);
    const answer = this.#approver.ask(together, first.cancel);
    first.answer(answer);
    for (const one of rest) one.answer(answer.then(forAnother));
  }

  /** One question for all. "Always" is not offered: a rule that covers several things would be wider than any of them. */
  #joined(first: Question, rest: readonly Asked[]): Question {
    const lines = [first, ...rest.map(({ question }) => question)].map(this.#describe);
    const shown = lines.slice(0, MOST_LISTED);
    const more = lines.length > MOST_LISTED ? [`and ${String(lines.length - MOST_LISTED)} more`] : [];
    const reason = [`${String(lines.length)} reads at once; the answer holds for all of them:`, ...shown, ...more].join(
      '\n',
    );
    return { ...first, decision: { ...first.decision, reason }, alwaysRule: null };
  }
}

/** What an answer to the joined question means for another member. A change was made to the first one only. */
const forAnother = (approval: Approval): Approval =>
  approval.type === 'changed'
    ? { type: 'no', reason: 'The person changed another one of these reads. Propose this one by itself.' }
    : approval;
