import { stateFolder } from '../../adapters/stateFolder.js';
import { KeptAnswers, keptAnswer } from '../../adapters/review/answers.js';
import type { Approver, Question, ReviewInput } from '../../core/ports.js';
import { settings } from '../settings.js';

/** The answers kept on this machine. */
export const keptAnswers = (): KeptAnswers => new KeptAnswers(stateFolder());

/**
 * An approver that keeps what people answer, where they switched that on. `inputOf` tells what the reviewer saw of a question.
 * A file that cannot be written costs nobody an answer.
 */
export function keepingAnswers(
  approver: Approver,
  inputOf: (question: Question) => ReviewInput | null,
  report: (error: unknown) => void,
): Approver {
  return {
    async ask(question, cancel) {
      const approval = await approver.ask(question, cancel);
      const input = settings.reviewer.keepsAnswers() ? inputOf(question) : null;
      const answer = input === null ? null : keptAnswer(input, question.review, approval, Date.now());
      if (answer !== null) keptAnswers().add(answer).catch(report);
      return approval;
    },
  };
}
