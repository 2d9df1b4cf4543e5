import { createInterface } from 'node:readline/promises';
import { describeEffect, describeProposal } from '../core/audit/describe.js';
import type { Approval, Approver, Question } from '../core/ports.js';

/** What a person reads before they answer: what, why, what it does, what led here. */
export function questionText({ lacuna, analysis, decision, chain }: Question): string {
  const effects = [...new Set(analysis.effects.map(describeEffect))];
  return [
    `Lacuna asks: ${lacuna.kind}: ${describeProposal(lacuna)}`,
    `  why     ${decision.reason}`,
    `  risk    ${decision.risk}`,
    ...effects.map((effect, at) => `${at === 0 ? '  does    ' : '          '}${effect}`),
    ...chain.map((step, at) => `${at === 0 ? '  so far  ' : '          '}${step}`),
    '',
  ].join('\n');
}

/** Asks on the terminal. Anything but a clear yes is a no; a closed input is nobody. */
export const terminalApprover: Approver = {
  async ask(question, cancel): Promise<Approval> {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      process.stderr.write(questionText(question));
      const signal = cancel instanceof AbortSignal ? { signal: cancel } : {};
      const answer = (await terminal.question('Do it? [y]es once, [N]o, or a reason against it: ', signal)).trim();
      if (/^y(es)?$/i.test(answer)) return { type: 'once' };
      return { type: 'no', reason: /^(no?)?$/i.test(answer) ? '' : answer };
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return { type: 'nobody', why: 'cancelled' };
      throw error;
    } finally {
      terminal.close();
    }
  },
};

/** For runs without a person. */
export const headlessApprover: Approver = { ask: () => Promise.resolve({ type: 'nobody', why: 'headless' }) };
