import type { Cancel } from '../core/cancel.js';
import type { Executor } from '../core/gate/executor.js';
import type { ParamsOf } from '../core/lacuna/kinds.js';
import type { Lacuna } from '../core/lacuna/lacuna.js';
import { executor } from './fill.js';
import { outputOfText, type Mask } from './output.js';

/** What a tool answered. */
export interface ToolAnswer {
  readonly text: string;
  /** Whether the tool says that it failed. */
  readonly isError: boolean;
}

/** Calls tools of other extensions and MCP servers; the editor implements it. Null: there is no such tool. */
export interface Tools {
  /** `lacuna` tells whose call it is, so that the tool can show itself, and ask, in the right conversation. */
  call(
    tool: Pick<ParamsOf['CallTool'], 'tool' | 'server' | 'input'>,
    lacuna: Lacuna<'CallTool'>,
    cancel: Cancel,
  ): Promise<ToolAnswer | null>;
}

const TIMEOUT_MS = 5 * 60_000;

/** A signal that is given when the caller's is, or when time is up. */
function within(timeoutMs: number, cancel: Cancel): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  const timer = setTimeout(abort, timeoutMs);
  cancel.addEventListener('abort', abort, { once: true });
  if (cancel.aborted) abort();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      cancel.removeEventListener('abort', abort);
    },
  };
}

/** Resolves with `aborted` when the signal is given first: a tool that does not listen cannot hold a filling for ever. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | 'aborted'> =>
  Promise.race([
    work,
    new Promise<'aborted'>((resolve) => {
      const onAbort = (): void => resolve('aborted');
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    }),
  ]);

/** Calls another extension's or an MCP server's tool. What it answers is data from outside. */
export const callToolExecutor = (tools: Tools | null, mask: Mask): Executor<'CallTool'> =>
  executor(async ({ lacuna, params, isStillTrue }, { report, cancel }) => {
    if (tools === null) return report.unavailable('Tools of other extensions are at hand in the editor only.');
    if (!(await isStillTrue())) return report.voided('changed');
    if (cancel.aborted) return report.cancelled();
    const limit = within(TIMEOUT_MS, cancel);
    try {
      const answer = await unlessAborted(tools.call(params, lacuna, limit.signal), limit.signal);
      if (answer === 'aborted')
        return cancel.aborted
          ? report.cancelled('Cancelled; the tool may have acted already.')
          : report.timedOut('The tool did not answer in time; it may have acted.', outputOfText('', mask));
      if (answer === null) return report.unavailable(`There is no tool ${params.tool}.`);
      const output = outputOfText(answer.text, mask);
      return answer.isError
        ? report.failed('The tool says that it failed.', { output, damage: ['what it may have done before it failed'] })
        : report.filled({ output });
    } finally {
      limit.release();
    }
  });
