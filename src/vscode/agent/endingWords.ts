import * as vscode from 'vscode';
import type { Ending, Tally } from '../../core/agent/agent.js';
import { plain } from './markdown.js';

const { t } = vscode.l10n;

/** How a run ended, in a sentence for people; '' when the model has said it itself. */
export function endingWords(ending: Ending): string {
  switch (ending.type) {
    case 'answered':
      return '';
    case 'cancelled':
      return t('Stopped by you.');
    case 'limit':
      return {
        lacunas: t('Stopped: the limit of {0} proposals is reached. Say “go on” to continue.', ending.value),
        time: t('Stopped: the limit of {0} seconds is reached. Say “go on” to continue.', ending.value),
        turns: t('Stopped: the model was asked {0} times. Say “go on” to continue.', ending.value),
        tokens: t('Stopped: the limit of {0} tokens is reached. Say “go on” to continue.', ending.value),
      }[ending.limit];
    case 'stuck':
      return `${
        {
          repeats: t('Stopped: the model asked for the same thing again and again, with the same answer each time.'),
          malformed: t('Stopped: the calls of the model could not be read. Another model may do better.'),
          'no-plan': t('Stopped: the model acted without stating a plan, so nothing was done.'),
          'plan-refused': t('Stopped: the plans of the model were refused.'),
        }[ending.why]
      } ${plain(ending.about)}`.trim();
    case 'brain-failed':
      return ending.message;
    case 'grave':
      return t('Stopped, because a step failed and left something behind: {0}', plain(ending.message));
  }
}

/** What was done, in numbers. */
export function sumWords({ proposed, done, refused, failed, durationMs }: Tally): string {
  return [
    proposed === 1 ? t('1 proposal') : t('{0} proposals', proposed),
    t('{0} done', done),
    ...(refused > 0 ? [t('{0} refused', refused)] : []),
    ...(failed > 0 ? [t('{0} failed', failed)] : []),
    t('{0} s', Math.round(durationMs / 1000)),
  ].join(' · ');
}
