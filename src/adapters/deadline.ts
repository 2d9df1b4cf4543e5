import type { Deadline } from '../core/agent/agent.js';
import type { Cancel } from '../core/cancel.js';

/** Longest that a timer of Node waits. */
const MAX_MS = 2 ** 31 - 1;

/**
 * A cancel that also comes by itself when nothing remains. What remains is asked again when the time seems to be up, since it
 * may have stood still. The timer does not keep a process alive.
 */
export function deadline(outer: Cancel, remainingMs: () => number): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    const ms = remainingMs();
    if (ms <= 0) return abort();
    timer = setTimeout(look, Math.min(ms, MAX_MS));
    timer.unref();
  };
  look();
  outer.addEventListener('abort', abort);
  if (outer.aborted) abort();
  return {
    cancel: controller.signal,
    close: () => {
      if (timer !== null) clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
