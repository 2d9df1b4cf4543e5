import type { Deadline } from '../core/agent/agent.js';
import type { Cancel } from '../core/cancel.js';

/** A cancel that also comes by itself after `ms`. The timer does not keep a process alive. */
export function deadline(outer: Cancel, ms: number): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, Math.min(ms, 2 ** 31 - 1));
  timer.unref();
  outer.addEventListener('abort', abort);
  if (outer.aborted) abort();
  return {
    cancel: controller.signal,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
