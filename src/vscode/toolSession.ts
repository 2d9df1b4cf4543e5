import type { Memento } from 'vscode';
import { z } from 'zod';

const KEY = 'lacuna.toolSession';
/** After this time without use the next call begins a new session: what was read yesterday need not raise today's risk. */
const LASTS_MS = 8 * 60 * 60_000;

const remembered = z.object({ id: z.string(), usedAtMs: z.number() });

/**
 * Id of the session in which the language-model tools of this workspace work, since the editor tells a tool neither its agent
 * nor its conversation. It outlives a reload of the window.
 */
export function toolSession(memory: Memento, nowMs: number, nextId: () => string): string {
  const parsed = remembered.safeParse(memory.get(KEY));
  const isFresh = parsed.success && nowMs - parsed.data.usedAtMs < LASTS_MS;
  const id = isFresh ? parsed.data.id : nextId();
  void memory.update(KEY, { id, usedAtMs: nowMs });
  return id;
}
