import { clip } from './answer.js';
import type { Message, ToolAnswer } from './brain.js';

/** An answer with the line that stands for it once it is left out. */
export interface Kept extends ToolAnswer {
  /** One line: what was asked and how it went. */
  readonly summary: string;
}

type Entry =
  | { readonly type: 'pinned'; readonly message: Message }
  | {
      readonly type: 'turn';
      readonly message: Message & { role: 'brain' };
      answers: readonly Kept[];
      isElided: boolean;
    };

/** What filled-up contexts shrink to, so that they are not shrunk anew at every turn. */
const SHRINK_TO = 0.7;
/** Turns that stay whole as long as they fit by themselves. */
const WHOLE_TURNS = 2;
/** Characters to which the newest answers are clipped when they alone are too long: halved from the first to the second. */
const CLIP_FROM = 32_000;
const CLIP_TO = 250;
/** Most lines about steps that were left out; of older ones only the number is told. */
const MOST_REMEMBERED = 40;

/**
 * The conversation with a brain, kept in bounds (mission row L14). Rules, requests and the newest plan always stay, recent
 * results stay whole, older ones shrink to the line that sums them up, and the oldest turns to one message with those lines.
 * Deterministic: the same conversation gives the same messages. `count` estimates tokens.
 */
export class Conversation {
  readonly #entries: Entry[] = [];
  readonly #dropped: string[] = [];
  #plan: string | null = null;

  constructor(
    private readonly maxTokens: number,
    private readonly count: (text: string) => number,
  ) {}

  /** Adds what must never be lost: rules, the person's requests, earlier turns of the chat. */
  pin(message: Message): void {
    this.#entries.push({ type: 'pinned', message });
  }

  /** Sets the plan that stands; it is repeated where it would otherwise be lost. */
  setPlan(text: string): void {
    this.#plan = text;
  }

  /** Adds what the brain said, and what its calls came to: one answer for each call. */
  turn(message: Message & { role: 'brain' }, answers: readonly Kept[]): void {
    this.#entries.push({ type: 'turn', message, answers, isElided: false });
  }

  /** The messages to send. Shrinks older turns first when they would not fit. */
  messages(): readonly Message[] {
    if (this.#tokens() > this.maxTokens) this.#shrink(this.maxTokens * SHRINK_TO);
    return this.#render();
  }

  /** How many turns were summed up or left out so far. */
  get elidedTurns(): number {
    return this.#dropped.length + this.#turns().filter((entry) => entry.isElided).length;
  }

  #turns(): (Entry & { type: 'turn' })[] {
    return this.#entries.filter((entry) => entry.type === 'turn');
  }

  #shrink(target: number): void {
    const old = this.#turns().slice(0, -WHOLE_TURNS);
    for (const entry of old) {
      if (this.#tokens() <= target) return;
      entry.isElided = true;
    }
    for (const entry of old) {
      if (this.#tokens() <= target) return;
      this.#entries.splice(this.#entries.indexOf(entry), 1);
      this.#dropped.push(...entry.answers.map(({ summary }) => `- ${summary}`));
    }
    this.#squeeze();
  }

  /** What is left are the newest turns. They give way only where they alone would not fit. */
  #squeeze(): void {
    const recent = this.#turns();
    for (const entry of recent.slice(0, -1)) {
      if (this.#tokens() <= this.maxTokens) return;
      entry.isElided = true;
    }
    const newest = recent.at(-1);
    for (let characters = CLIP_FROM; newest && characters > CLIP_TO && this.#tokens() > this.maxTokens; characters /= 2)
      newest.answers = newest.answers.map((answer) => ({ ...answer, text: clip(answer.text, characters) }));
  }

  #tokens(): number {
    return this.#render().reduce((sum, message) => sum + this.count(textOf(message)) + 4, 0);
  }

  #render(): Message[] {
    const messages: Message[] = [];
    for (const entry of this.#entries) {
      if (entry.type === 'pinned') messages.push(entry.message);
      else
        messages.push(entry.message, {
          role: 'answers',
          answers: entry.answers.map(({ callId, text, summary }) => ({
            callId,
            text: entry.isElided ? `${summary}\n[Left out to save room; ask again if you need it.]` : text,
          })),
        });
    }
    const remembered = this.#remembered();
    if (remembered !== null) messages.splice(this.#pinnedAhead(), 0, { role: 'person', text: remembered });
    return messages;
  }

  /** Position after the pinned messages at the front: what is remembered stands before the first turn. */
  #pinnedAhead(): number {
    const first = this.#entries.findIndex((entry) => entry.type === 'turn');
    return first < 0 ? this.#entries.length : first;
  }

  #remembered(): string | null {
    if (this.#dropped.length === 0) return null;
    const plan = this.#plan === null ? '' : `\nYour plan as it stands:\n${this.#plan}`;
    const lines = this.#dropped.slice(-MOST_REMEMBERED);
    const older =
      this.#dropped.length > lines.length ? `\n- (${this.#dropped.length - lines.length} steps before these)` : '';
    return `[Summary by the host of earlier steps that were left out to save room.]${plan}${older}\n${lines.join('\n')}`;
  }
}

/** Everything of a message that costs tokens, as one text. */
export function textOf(message: Message): string {
  switch (message.role) {
    case 'rules':
    case 'person':
      return message.text;
    case 'brain':
      return message.text + message.calls.map(({ name, input }) => name + JSON.stringify(input)).join('');
    case 'answers':
      return message.answers.map(({ text }) => text).join('');
  }
}
