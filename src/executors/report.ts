import type { Outcome, Output, SandboxCause } from '../core/gate/outcome.js';
import { noOutput } from '../core/gate/outcome.js';
import type { SpendError } from '../core/gate/permit.js';

const VOID_MESSAGES: Readonly<Record<SpendError, string>> = {
  spent: 'The permit was used already. Propose it again.',
  expired: 'The permit has expired. Propose it again.',
  changed: 'Something that this was decided on has changed since. Look again, then propose it again.',
  revoked: 'The permit was taken back.',
};

/** Makes the outcome of one filling; knows when it began, so that no executor has to. */
export class Report {
  readonly #startedAt = performance.now();

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  filled(what: {
    readonly output?: Output;
    readonly changed?: readonly string[];
    readonly status?: number | null;
  }): Outcome {
    return {
      type: 'filled',
      output: what.output ?? noOutput,
      changed: what.changed ?? [],
      status: what.status ?? null,
      durationMs: this.#durationMs(),
    };
  }

  failed(
    message: string,
    more: {
      readonly output?: Output;
      readonly cause?: SandboxCause | null;
      readonly damage?: readonly string[];
    } = {},
  ): Outcome {
    return {
      type: 'failed',
      message,
      output: more.output ?? noOutput,
      causedBySandbox: more.cause ?? null,
      damage: more.damage ?? [],
      durationMs: this.#durationMs(),
    };
  }

  voided(why: SpendError): Outcome {
    return { type: 'void', why, message: VOID_MESSAGES[why] };
  }

  cancelled(message = 'Cancelled before it was done.'): Outcome {
    return { type: 'cancelled', message, durationMs: this.#durationMs() };
  }

  timedOut(message: string, output: Output): Outcome {
    return { type: 'timed-out', message, output, durationMs: this.#durationMs() };
  }

  unavailable(message: string): Outcome {
    return { type: 'unavailable', message };
  }
}
