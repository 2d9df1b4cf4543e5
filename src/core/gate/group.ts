import type { Cancel } from '../cancel.js';
import type { Analysed, AuditBody, GroupMember } from '../audit/record.js';
import { stricter } from '../policy/verdict.js';
import type { Approval, Approver, Question } from '../ports.js';

/** A question that waits for the others of its group. */
interface Asked {
  readonly question: Question;
  readonly cancel: Cancel;
  readonly answer: (approval: Promise<Approval>) => void;
}

/** Most questions that are listed in one. */
const MOST_LISTED = 12;

/** A decision that waits for the others of its group to be written down with them. */
interface Decided {
  readonly member: GroupMember;
  readonly isWritten: (written: Promise<void>) => void;
}

/** What a group needs of the gate. */
export interface GroupPorts {
  readonly groupId: string;
  readonly approver: Approver;
  readonly describe: (question: Question) => string;
  readonly write: (body: AuditBody) => Promise<void>;
}

/**
 * Reads that were proposed together. Once all have been judged, what is known already is written down as one decision, and those of
 * them that a person has to answer are put to the person as one question. The answer holds for all of them, and is one decision too.
 * What a member asks or decides later on is its own.
 */
export class Group implements Approver {
  readonly #ports: GroupPorts;
  /** Members that have not been judged yet. */
  readonly #open: Set<string>;
  /** Members that wait for the person, or for what their answer means. */
  readonly #answering = new Set<string>();
  readonly #analysed = new Map<string, Analysed>();
  #asked: Asked[] = [];
  #decided: Decided[] = [];

  constructor(lacunaIds: readonly string[], ports: GroupPorts) {
    this.#open = new Set(lacunaIds);
    this.#ports = ports;
  }

  ask(question: Question, cancel: Cancel): Promise<Approval> {
    const { id } = question.lacuna;
    if (!this.#open.has(id)) return this.#ports.approver.ask(question, cancel);
    return new Promise((resolve) => {
      this.#asked.push({ question, cancel, answer: resolve });
      this.#answering.add(id);
      this.#leaveOpen(id);
    });
  }

  /** Keeps what was found out of a member, to be written down with its decision. */
  hold(analysed: Analysed): void {
    this.#analysed.set(analysed.lacunaId, analysed);
  }

  /** What is held of a member, which is then no longer held: it goes into a line of its own. */
  release(lacunaId: string): Analysed | null {
    const held = this.#analysed.get(lacunaId) ?? null;
    this.#analysed.delete(lacunaId);
    return held;
  }

  /** Resolves when the decision on a member is written down with those of the others. */
  decide(member: Omit<GroupMember, 'analysed'>): Promise<void> {
    const { lacunaId } = member;
    return new Promise((resolve) => {
      this.#decided.push({ member: { ...member, analysed: this.release(lacunaId) }, isWritten: resolve });
      if (!this.judged(lacunaId)) this.#write();
    });
  }

  /** Tells that a member needs the group no more: it is decided, or has gone its own way. False when it had left before. */
  judged(lacunaId: string): boolean {
    if (this.#open.has(lacunaId)) {
      this.#leaveOpen(lacunaId);
      return true;
    }
    if (!this.#answering.delete(lacunaId)) return false;
    if (this.#answering.size === 0) this.#write();
    return true;
  }

  #leaveOpen(lacunaId: string): void {
    this.#open.delete(lacunaId);
    if (this.#open.size > 0) return;
    this.#write();
    this.#put();
  }

  #write(): void {
    const due = this.#decided;
    this.#decided = [];
    if (due.length === 0) return;
    const members = due.map(({ member }) => member);
    const verdict = members.map(({ decision }) => decision.verdict).reduce(stricter);
    const written = this.#ports.write({ type: 'group-decided', groupId: this.#ports.groupId, verdict, members });
    for (const { isWritten } of due) isWritten(written);
  }

  #put(): void {
    const [first, ...rest] = this.#asked;
    this.#asked = [];
    if (first === undefined) return;
    const together = rest.length === 0 ? first.question : this.#joined(first.question, rest);
    const answer = this.#ports.approver.ask(together, first.cancel);
    first.answer(answer);
    for (const one of rest) one.answer(answer.then(forAnother));
  }

  /** One question for all. "Always" is not offered: a rule that covers several things would be wider than any of them. */
  #joined(first: Question, rest: readonly Asked[]): Question {
    const lines = [first, ...rest.map(({ question }) => question)].map(this.#ports.describe);
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
