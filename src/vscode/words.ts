import * as vscode from 'vscode';
import { describeResource } from '../core/audit/describe.js';
import type { Effect, Op } from '../core/effects/effect.js';
import type { Outcome, Refusal } from '../core/gate/outcome.js';
import type { Risk } from '../core/lacuna/kindMetadata.js';
import type { Proposal } from '../core/lacuna/lacuna.js';
import type { DecidedBy } from '../core/policy/decision.js';
import type { Mode, Verdict } from '../core/policy/verdict.js';
import type { Review } from '../core/review/review.js';

const { t } = vscode.l10n;

/** Longest piece of an agent's text in a line for people. */
const MAX_LENGTH = 120;

/** Text of an agent in one line: line breaks as spaces, control and direction characters shown as what they are, cut when long. */
export function oneLine(text: string, maxLength = MAX_LENGTH): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** What is proposed, in a line. Words of the agent are in it: data, never instructions. */
export function proposalWords(proposal: Proposal): string {
  switch (proposal.kind) {
    case 'ListFiles':
      return proposal.params.path === '.' ? t('List the workspace') : t('List {0}', oneLine(proposal.params.path));
    case 'ReadFile':
      return t('Read {0}', oneLine(proposal.params.path));
    case 'SearchFiles':
      return t('Search for “{0}”', oneLine(proposal.params.query));
    case 'WriteFile':
      return t('Write {0}', oneLine(proposal.params.path));
    case 'EditFile':
      return t('Edit {0}', oneLine(proposal.params.path));
    case 'DeleteFile':
      return t('Delete {0}', oneLine(proposal.params.path));
    case 'MoveFile':
      return t('Move {0} to {1}', oneLine(proposal.params.from), oneLine(proposal.params.to));
    case 'ExecuteShell':
      return oneLine(proposal.params.command);
    case 'HttpRequest':
      return `${proposal.params.method} ${oneLine(proposal.params.url)}`;
    case 'QueryDatabase':
      return t('Query {0}: {1}', oneLine(proposal.params.database), oneLine(proposal.params.sql));
    case 'CallTool':
      return t(
        'Call {0}',
        oneLine([proposal.params.server, proposal.params.tool].filter((part) => part !== undefined).join('.')),
      );
    case 'Delegate':
      return t('Delegate: {0}', oneLine(proposal.params.goal));
  }
}

/** An effect in a few words; paths of the workspace are shown relative to it. */
export function effectWords(effect: Effect): string {
  const { resource } = effect;
  const name = resource.type === 'path' ? vscode.workspace.asRelativePath(resource.path) : describeResource(resource);
  const certainty =
    effect.certainty === 'exact'
      ? ''
      : effect.certainty === 'pattern'
        ? t(' (all that match)')
        : t(' (not known before it runs)');
  const git = resource.type === 'path' ? (GIT_WORDS()[resource.git] ?? '') : '';
  const note = effect.note === '' ? '' : `: ${oneLine(effect.note)}`;
  return `${opWord(effect.op)} ${oneLine(name)}${git}${certainty}${note}`;
}

const GIT_WORDS = (): Readonly<Record<string, string>> => ({
  untracked: t(' (in no commit)'),
  modified: t(' (with changes in no commit)'),
});

const opWord = (op: Op): string =>
  ({
    list: t('list'),
    read: t('read'),
    write: t('write'),
    delete: t('delete'),
    move: t('move'),
    execute: t('run'),
    network: t('connect to'),
    install: t('install'),
    kill: t('stop'),
    privilege: t('gain rights by'),
    history: t('rewrite history of'),
    persist: t('make run later:'),
    unknown: t('not understood:'),
  })[op];

export const verdictWord = (verdict: Verdict): string =>
  ({
    allow: t('allowed'),
    modify: t('allowed with a change'),
    sandbox: t('allowed in the sandbox'),
    ask: t('asked'),
    deny: t('refused'),
  })[verdict];

export const riskWord = (risk: Risk): string =>
  ({ low: t('low risk'), medium: t('medium risk'), high: t('high risk'), critical: t('critical risk') })[risk];

export const modeWord = (mode: Mode): string =>
  ({ relaxed: t('relaxed'), balanced: t('balanced'), strict: t('strict'), lockdown: t('lockdown') })[mode];

/** Who had the last word. */
export const decidedByWord = (by: DecidedBy): string =>
  ({
    protection: t('a built-in protection'),
    rule: t('a rule'),
    default: t('the default: nothing matched'),
    state: t('what happened earlier in the session'),
    reviewer: t('the reviewer'),
    person: t('you'),
    failure: t('a failure: there was no verdict'),
  })[by];

const refusalWord = (by: Refusal): string =>
  ({
    rule: t('refused by policy'),
    person: t('refused by you'),
    'no-person': t('refused: nobody answered'),
    state: t('refused by the state of the session'),
    reviewer: t('refused by the reviewer'),
    'no-verdict': t('refused: no verdict could be had'),
  })[by];

/** What came of it, in a few words. */
export function outcomeWords(outcome: Outcome): string {
  switch (outcome.type) {
    case 'filled':
      return outcome.status === null || outcome.status === 0 ? t('done') : t('done, status {0}', outcome.status);
    case 'partly':
      return t('done in part: {0} accepted, {1} rejected', outcome.accepted.length, outcome.rejected.length);
    case 'failed':
      return outcome.causedBySandbox === null ? t('failed') : t('failed: the sandbox stopped it');
    case 'refused':
      return refusalWord(outcome.by);
    case 'void':
      return t('not done: things had changed');
    case 'cancelled':
      return t('cancelled');
    case 'timed-out':
      return t('stopped: it took too long');
    case 'unavailable':
      return t('not available');
  }
}

/** What the reviewer said, or why it said nothing. */
export function reviewWords(review: Review): string {
  switch (review.type) {
    case 'answered':
      return t(
        'The reviewer says {0}: {2} ({1}% sure; {3}, {4} ms)',
        { approve: t('approve'), flag: t('flag'), reject: t('reject') }[review.verdict],
        Math.round(review.confidence * 100),
        review.reason,
        review.model,
        Math.round(review.durationMs),
      );
    case 'skipped':
      return t('The reviewer was not needed: {0}', review.why);
    case 'none':
      return t('No verdict from the reviewer: {0}', review.message);
  }
}
