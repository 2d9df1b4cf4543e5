import * as vscode from 'vscode';
import { z } from 'zod';
import type { Message } from '../../core/agent/brain.js';

/** What an answer leaves behind for the next turn of the same conversation. It comes back as JSON. */
const memorySchema = z.object({
  sessionId: z.string(),
  /** The last words of the model. */
  text: z.string(),
  /** What was done, a line each. */
  did: z.array(z.string()),
  ending: z.string(),
  /** The newest refusal, to be explained on demand. */
  refusedId: z.string().nullable(),
  /** The plan that was only stated, and the request it is for: to be carried out on demand. */
  plan: z.object({ text: z.string(), request: z.string() }).nullable(),
  /** Requests that the model said it can do, where it could not do this one. */
  stories: z.array(z.string()).default([]),
});
export type Memory = z.infer<typeof memorySchema>;

/** The memory in a result of this participant; null when it is another's, or too old to be read. */
export function memoryOf(result: vscode.ChatResult): Memory | null {
  const parsed = memorySchema.safeParse(result.metadata?.['lacuna']);
  return parsed.success ? parsed.data : null;
}

/** The newest memory of a conversation; null at its beginning. */
export function lastMemory(context: vscode.ChatContext): Memory | null {
  for (const turn of [...context.history].reverse()) {
    const memory = turn instanceof vscode.ChatResponseTurn ? memoryOf(turn.result) : null;
    if (memory !== null) return memory;
  }
  return null;
}

/** Most turns of a conversation that a model is told of. */
const MOST_TURNS = 12;

/** Earlier turns in the terms of the loop: what was asked, what was said, what was done. */
export function earlierTurns(context: vscode.ChatContext): readonly Message[] {
  return context.history.slice(-MOST_TURNS * 2).flatMap((turn): Message[] => {
    if (turn instanceof vscode.ChatRequestTurn) return [{ role: 'person', text: turn.prompt }];
    const memory = memoryOf(turn.result);
    if (memory === null) return [];
    const did =
      memory.did.length === 0 ? '' : `\n[Done in this turn]\n${memory.did.map((line) => `- ${line}`).join('\n')}`;
    const plan = memory.plan === null ? '' : `\n[Plan stated]\n${memory.plan.text}`;
    return [{ role: 'brain', text: `${memory.text}${did}${plan}`, calls: [] }];
  });
}
