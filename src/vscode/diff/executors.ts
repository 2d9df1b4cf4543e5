import * as vscode from 'vscode';
import type { Facts } from '../../core/effects/facts.js';
import type { Executor, Executors } from '../../core/gate/executor.js';
import type { Outcome } from '../../core/gate/outcome.js';
import type { Spent } from '../../core/gate/permit.js';
import { executor, type Bench } from '../../executors/fill.js';
import { placeOfParam } from '../../executors/files/place.js';
import { ownWords } from '../../executors/output.js';
import { isUnsaved, openDocument, type Ticket } from './apply.js';
import { describeUnits, resultOf, type Review } from './change.js';
import type { Answer, Applied, Desk } from './desk.js';
import { prepareDelete, prepareEdit, prepareMove, prepareWrite, type Prepared } from './prepare.js';

const { t } = vscode.l10n;

/** Kinds that are filled by way of the diff view. */
type FileKind = 'WriteFile' | 'EditFile' | 'DeleteFile' | 'MoveFile';

/** What the editor's file executors need. */
export interface ReviewedFilesOptions {
  readonly desk: Desk<Ticket>;
  /** A fresh look at the world for each filling. */
  readonly look: () => Facts;
  /** Executors for a deletion or a move that the person has just approved by a question: it is not shown a second time. */
  readonly approved: Pick<Executors, 'DeleteFile' | 'MoveFile'>;
}

/**
 * Executors that lay what is to be written on the desk and fill what a person accepts, through the editor's own edit. Nothing
 * is on disk before.
 */
export function reviewedFileExecutors({ desk, look, approved }: ReviewedFilesOptions): Pick<Executors, FileKind> {
  const lay = async (prepared: Prepared | string, spent: Spent<FileKind>, bench: Bench): Promise<Outcome> => {
    if (typeof prepared === 'string') return bench.report.failed(prepared);
    const saved = await saveFirst(prepared.change.from ?? prepared.change.path);
    if (saved === 'refused') return bench.report.failed(UNSAVED);
    if (saved === 'saved' && !(await spent.isStillTrue())) return bench.report.voided('changed');
    const { id, sessionId, description } = spent.lacuna;
    const change = { ...prepared.change, id, sessionId, description };
    const ticket = { isStillTrue: spent.isStillTrue, before: prepared.before, encode: prepared.encode };
    const startedAt = performance.now();
    return outcomeOf(await desk.lay(change, ticket, bench.cancel), bench, startedAt);
  };
  return {
    WriteFile: executor((spent, bench) => {
      const { path } = placeOfParam(spent.params.path, look(), 'follow');
      return lay(prepareWrite(path, spent.params.content), spent, bench);
    }),
    EditFile: executor((spent, bench) => {
      const { path } = placeOfParam(spent.params.path, look(), 'follow');
      return lay(prepareEdit(path, spent.params.edits), spent, bench);
    }),
    DeleteFile: unlessApproved(
      approved.DeleteFile,
      executor((spent, bench) => {
        const { path } = placeOfParam(spent.params.path, look(), 'keep');
        return lay(prepareDelete(path, spent.params.recursive === true), spent, bench);
      }),
    ),
    MoveFile: unlessApproved(
      approved.MoveFile,
      executor((spent, bench) => {
        const facts = look();
        const from = placeOfParam(spent.params.from, facts, 'keep').path;
        return lay(prepareMove(from, placeOfParam(spent.params.to, facts, 'keep').path), spent, bench);
      }),
    ),
  };
}

const unlessApproved = <K extends 'DeleteFile' | 'MoveFile'>(
  approved: Executor<K>,
  reviewed: Executor<K>,
): Executor<K> => ({
  fill: (permit, cancel, progress) =>
    (permit.decision.decidedBy === 'person' ? approved : reviewed).fill(permit, cancel, progress),
});

const UNSAVED =
  'The file has changes in the editor that are not saved, and the person did not want to save them now. Nothing was done.';

/** A file with unsaved changes is saved before it is worked on, if the person wants that: else they would be in the way, or lost. */
async function saveFirst(file: string): Promise<'clean' | 'saved' | 'refused'> {
  if (!isUnsaved(file)) return 'clean';
  const save = t('Save and Review');
  const choice = await vscode.window.showWarningMessage(
    t('{0} has unsaved changes, and an agent wants to change it.', vscode.workspace.asRelativePath(file)),
    { modal: true, detail: t('Save yours first to see what the agent proposes on top of them.') },
    save,
  );
  return choice === save && (await openDocument(file)?.save()) === true ? 'saved' : 'refused';
}

function outcomeOf(answer: Answer, bench: Bench, startedAt: number): Outcome {
  const { report } = bench;
  switch (answer.type) {
    case 'cancelled':
      return report.cancelled('Cancelled while the change was under review; nothing was written.');
    case 'outdated':
      return report.voided('changed');
    case 'reviewed':
      return answer.applied === null
        ? rejected(answer.review)
        : applied(answer.review, answer.applied, bench, Math.round(performance.now() - startedAt));
  }
}

function applied(review: Review, result: Applied, { report }: Bench, durationMs: number): Outcome {
  switch (result.type) {
    case 'outdated':
      return report.voided('changed');
    case 'failed':
      return report.failed(result.message, { damage: result.damage });
    case 'written': {
      const { change } = review;
      const changed = [...(change.from === null ? [] : [change.from]), change.path];
      const notes = result.notes.join(' ');
      if (resultOf(review) === 'accepted') {
        const output = ownWords(`The person accepted the change of ${change.path}; it is written. ${notes}`.trim());
        return report.filled({ output, changed });
      }
      return {
        type: 'partly',
        accepted: describeUnits(review, 'accepted'),
        rejected: describeUnits(review, 'rejected'),
        message: `${why(review)} ${notes}`.trim(),
        changed,
        durationMs,
      };
    }
  }
}

function rejected(review: Review): Outcome {
  return {
    type: 'refused',
    by: 'person',
    message: `The person looked at the change of ${review.change.path} and rejected it. ${why(review)}`,
    advice: review.reason === '' ? 'Ask what they want instead.' : 'Do it the way they say, or ask.',
  };
}

const why = ({ reason }: Review): string =>
  reason === '' ? 'They gave no reason for what they rejected.' : `Their reason: ${reason}`;
