import type { Cancel } from '../cancel.js';
import { mayPass, type Brain, type BrainFailure, type BrainRequest, type ToolCall } from './brain.js';

/** A whole answer of a brain, or why there is none. Half an answer is none: nothing is done on the strength of it. */
export type Reply =
  | { readonly type: 'reply'; readonly text: string; readonly calls: readonly ToolCall[]; readonly tokens: number }
  | { readonly type: 'failed'; readonly why: BrainFailure; readonly message: string };

/** Hears an answer while it comes in. */
export interface Hearer {
  text(text: string): void;
  /** What was heard so far is void; the question is asked again. */
  again(why: BrainFailure, message: string): void;
}

/** Asks a brain and waits for the whole answer. A failure that may pass is tried again up to `retries` times. */
export async function ask(
  brain: Brain,
  request: BrainRequest,
  retries: number,
  hearer: Hearer,
  cancel: Cancel,
): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await askOnce(brain, request, hearer, cancel);
    if (reply.type === 'reply' || cancel.aborted || attempt >= retries || !mayPass(reply.why)) return reply;
    hearer.again(reply.why, reply.message);
  }
}

async function askOnce(brain: Brain, request: BrainRequest, hearer: Hearer, cancel: Cancel): Promise<Reply> {
  let text = '';
  let counted: number | null = null;
  const calls: ToolCall[] = [];
  for await (const part of brain.respond(request, cancel)) {
    if (cancel.aborted) return { type: 'failed', why: 'cancelled', message: 'Cancelled.' };
    if (part.type === 'failed') return part;
    if (part.type === 'asking-again') hearer.again(part.why, part.message);
    if (part.type === 'usage') counted = part.usage.inputTokens + part.usage.outputTokens;
    if (part.type === 'call') calls.push(part.call);
    if (part.type === 'text' && part.text !== '') {
      text += part.text;
      hearer.text(part.text);
    }
  }
  if (cancel.aborted) return { type: 'failed', why: 'cancelled', message: 'Cancelled.' };
  if (text.trim() === '' && calls.length === 0)
    return { type: 'failed', why: 'malformed', message: `${brain.name} answered with nothing at all.` };
  return { type: 'reply', text, calls: withUniqueIds(calls), tokens: counted ?? brain.countTokens(text) };
}

/** Some models leave ids empty or use one twice; answers would then meet the wrong call. */
function withUniqueIds(calls: readonly ToolCall[]): readonly ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? `${call.id || 'call'}_${index}` : call.id;
    seen.add(id);
    return id === call.id ? call : { ...call, id };
  });
}
