import type { Message, ToolCall } from '../brain.js';

/** How a call went, as its answer says. `none`: it says nothing that could be told. */
export type Went = 'done' | 'partly' | 'refused' | 'failed' | 'not-done' | 'none';

/** A call of this model and what it came to. */
export interface Step {
  readonly call: ToolCall;
  readonly went: Went;
  /** The answer without the data in it: how it went and why. */
  readonly said: string;
  /** The data in it: content of a file, output of a command. */
  readonly data: string;
  /** Whether it says that the plan no longer holds. */
  readonly isPlanOver: boolean;
  /** Exit code of a command; null when it is not known. */
  readonly exitCode: number | null;
}

/** What there is to react to: the person's newest request, and what was done for it so far. */
export interface Transcript {
  readonly request: string;
  readonly steps: readonly Step[];
}

const HOST_NOTE = '[Summary by the host';
/** Other agents wrap the person's own words in tags. */
const WRAPPED = /<(userRequest|user_query|userPrompt)>\s*([\s\S]*?)\s*<\/\1>/;

/** Reads a conversation. Total: whatever is missing is empty. */
export function readTranscript(messages: readonly Message[]): Transcript {
  const at = messages.findLastIndex((message) => message.role === 'person' && !message.text.startsWith(HOST_NOTE));
  const asked = messages[at];
  const text = asked?.role === 'person' ? asked.text : '';
  const calls = messages.slice(at + 1).flatMap((message) => (message.role === 'brain' ? message.calls : []));
  const answers = new Map(
    messages.flatMap((message) =>
      message.role === 'answers' ? message.answers.map(({ callId, text }) => [callId, text] as const) : [],
    ),
  );
  return {
    request: WRAPPED.exec(text)?.[2] ?? text,
    steps: calls.map((call) => readAnswer(call, answers.get(call.id) ?? '')),
  };
}

const FIRST_WORDS: readonly (readonly [RegExp, Went])[] = [
  [/^(DONE|PLAN TAKEN)/, 'done'],
  [/^PARTLY DONE/, 'partly'],
  [/^(REFUSED|PLAN REFUSED|Tool execution denied)/, 'refused'],
  [/^(FAILED|TIMED OUT)/, 'failed'],
  [/^(NOT DONE|NOT AVAILABLE|CANCELLED)/, 'not-done'],
];

function readAnswer(call: ToolCall, text: string): Step {
  const marked = /\n<<<(\S+) \([^\n]*\)\n([\s\S]*)\n\1>>>/.exec(text);
  const went = FIRST_WORDS.find(([words]) => words.test(text))?.[1];
  if (went === undefined) return foreign(call, text);
  const said = marked === null ? text : text.slice(0, marked.index);
  const code = /exit code (?:is )?(\d+)/i.exec(said)?.[1];
  const after = marked === null ? text : text.slice(marked.index + marked[0].length);
  return {
    call,
    went,
    said,
    data: marked?.[2] ?? '',
    isPlanOver: /^(THE PLAN NO LONGER HOLDS|NOT DONE: .* another plan is needed)/m.test(after),
    exitCode: code === undefined ? null : Number(code),
  };
}

/** An answer of a tool that is not Lacuna's: mostly the data itself, at times in a fence. */
function foreign(call: ToolCall, text: string): Step {
  const fenced = /```[\w-]*\n([\s\S]*?)\n```/.exec(text)?.[1];
  const isBad = /^(error|denied|cancelled|the user (cancelled|declined|chose to skip))/i.test(text.trim());
  const code = /exit(?:ed with)? code:? (\d+)/i.exec(text)?.[1];
  return {
    call,
    went: isBad ? 'failed' : text === '' ? 'none' : 'done',
    said: text.slice(0, 200),
    data: fenced ?? text,
    isPlanOver: false,
    exitCode: code === undefined ? null : Number(code),
  };
}
