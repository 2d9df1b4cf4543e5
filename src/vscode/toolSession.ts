import type { Memento } from 'vscode';

const KEY = 'lacuna.toolSession';
/** After this time without use the next call begins a new session: what was read yesterday need not raise today's risk. */
const LASTS_MS = 8 * 60 * 60_000;

interface Remembered {
  readonly id: string;
  readonly usedAtMs: number;
}

/** By hand, since this is asked at the editor's start and a schema would bring its whole library there. */
const isRemembered = (value: unknown): value is Remembered =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'usedAtMs' in value &&
  typeof value.usedAtMs === 'number';

/**
 * Id of the session in which the language-model tools of this workspace work, since the editor tells a tool neither its agent
 * nor its conversation. It outlives a reload of the window.
 */
export function toolSession(memory: Memento, nowMs: number, nextId: () => string): string {
  const last = memory.get<unknown>(KEY);
  const id = isRemembered(last) && nowMs - last.usedAtMs < LASTS_MS ? last.id : nextId();
  void memory.update(KEY, { id, usedAtMs: nowMs });
  return id;
}
