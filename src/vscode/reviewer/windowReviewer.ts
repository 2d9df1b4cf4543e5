import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { EndpointThinker } from '../../adapters/review/endpoint.js';
import { chosenModel } from '../../adapters/review/models.js';
import { openReviewer, type Mind, type OpenReviewer } from '../../adapters/review/open.js';
import type { ProcessState } from '../../adapters/review/process.js';
import type { Reviewer } from '../../core/ports.js';
import type { Review } from '../../core/review/review.js';
import type { Health } from '../health.js';
import { onSettingChange, settings } from '../settings.js';
import type { Store } from '../store.js';

const { t } = vscode.l10n;

/** The reviewer of a window: what the settings say now, put together when it is first asked. */
export interface WindowReviewer extends Reviewer {
  /** How it is, in a sentence. */
  readonly sentence: string;
  readonly onChange: (listener: () => void) => () => void;
}

const OFF: Review = { type: 'none', why: 'off', message: t('The reviewer is off.') };

/** What the settings name to think with; a sentence where that cannot be had; null where the reviewer is off. */
export function mindOfSettings(): Mind | string | null {
  const model = settings.reviewer.model();
  const endpoint = settings.reviewer.endpoint();
  if (model === 'off') return null;
  if (model === 'linear' || model === 'starter') return { type: model };
  if (model === 'endpoint') {
    if (endpoint === null) return t('Set the address of the reviewer’s endpoint and the name of its model.');
    return { type: 'thinker', thinker: new EndpointThinker({ ...endpoint, deadlineMs: 20_000 }) };
  }
  try {
    return {
      type: 'file',
      choice: chosenModel(model, { sha256: settings.reviewer.sha256(), sizeBytes: statSync(model).size }),
    };
  } catch (error) {
    return t('The reviewer’s model cannot be read: {0}', error instanceof Error ? error.message : String(error));
  }
}

/**
 * Opens the reviewer of a window. Nothing is loaded before the first proposal that is worth a review; a change of the settings
 * holds from the next one on. Whatever is wrong with it is shown in the status bar, with what helps.
 */
export function openWindowReviewer(health: Health, store: Store, log: vscode.LogOutputChannel): WindowReviewer {
  let open: OpenReviewer | null = null;
  let sentence = sentenceOf(null);
  const listeners = new Set<() => void>();

  const tell = (text: string, trouble: string | null): void => {
    sentence = text;
    const help = t('Run “Lacuna: Choose Reviewer Model…”.');
    health.tell('reviewer', trouble === null ? null : `${trouble} ${help}`);
    for (const listener of listeners) listener();
  };
  const close = (): void => {
    open?.dispose();
    open = null;
    tell(sentenceOf(null), null);
  };
  const follow = (state: ProcessState): void => {
    if (state.type === 'failed') log.warn(`reviewer: ${state.message}`);
    tell(sentenceOf(state), state.type === 'failed' && state.why !== 'missing' ? state.message : null);
  };
  store.addEnd(close);
  store.add(onSettingChange('reviewer', close));

  return {
    get sentence() {
      return sentence;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async review(input, cancel) {
      if (open === null) {
        const mind = mindOfSettings();
        if (mind === null) return OFF;
        if (typeof mind === 'string') {
          tell(t('The reviewer does not run.'), mind);
          return { type: 'none', why: 'down', message: mind };
        }
        open = openReviewer(__dirname, mind, 'smart');
        open.process?.onChange(follow);
      }
      const review = await open.reviewer.review(input, cancel);
      if (review.type === 'none' && open.process === null) tell(t('The reviewer does not answer.'), review.message);
      if (review.type === 'answered' && open.process === null)
        tell(t('The reviewer answers ({0}).', review.model), null);
      return review;
    },
  };
}

/** How the reviewer is, in a sentence. */
function sentenceOf(state: ProcessState | null): string {
  const model = settings.reviewer.model();
  if (model === 'off') return t('The reviewer is off.');
  switch (state?.type) {
    case undefined:
    case 'resting':
      return t('The reviewer rests until it is needed.');
    case 'starting':
      return t('The reviewer starts.');
    case 'ready':
      return t('The reviewer is ready ({0}, {1} MB).', state.model, state.memoryMiB);
    case 'failed':
      return state.why === 'missing'
        ? t('The linear reviewer stands in: models cannot run on this machine.')
        : t('No verdict from the reviewer: {0}', state.message);
  }
}
