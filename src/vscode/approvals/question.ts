import * as vscode from 'vscode';
import type { Question } from '../../core/ports.js';
import { effectWords, oneLine, proposalWords, reviewWords, riskWord } from '../words.js';

const { t } = vscode.l10n;

/** Most effects and steps that a prompt lists; the details page has all. */
const MAX_LISTED = 8;

/** A question in the two parts of a dialog: the sentence, and what a person needs to know before answering. */
export function questionText(question: Question): { readonly message: string; readonly detail: string } {
  const { lacuna, analysis, decision, review, chain } = question;
  const agent = lacuna.origin.subagent ?? lacuna.origin.agent;
  const subject =
    lacuna.kind === 'ExecuteShell'
      ? t('May {0} run this? {1}', agent, proposalWords(lacuna))
      : t('May {0} do this? {1}', agent, proposalWords(lacuna));
  const reason = decision.reason.split('\n').map((line) => oneLine(line, 300));
  const sections = [
    section(t('Why you are asked ({0})', riskWord(decision.risk)), [
      ...reason,
      ...(review.type === 'answered' || (review.type === 'none' && review.why !== 'off') ? [reviewWords(review)] : []),
    ]),
    section(t('What it would do'), listed(analysis.effects.map(effectWords))),
    section(t('What the agent says it is for'), lacuna.description === '' ? [] : [oneLine(lacuna.description, 300)]),
    section(t('What led here'), listed(chain.map((line) => oneLine(line, 200)))),
    decision.confinement === null ? '' : t('It would run in the sandbox.'),
  ];
  return { message: subject, detail: sections.filter((text) => text !== '').join('\n\n') };
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `  • ${line}`)].join('\n');

/** What is too much is left out in the middle: the first says where it began, the last whether it can be undone. */
function listed(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LISTED) return lines;
  const half = MAX_LISTED / 2;
  return [...lines.slice(0, half), t('… and {0} more …', lines.length - MAX_LISTED), ...lines.slice(-half)];
}
