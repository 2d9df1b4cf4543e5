import type { Kind, ParamsOf } from '../lacuna/kinds.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { markChanges } from './edits/markChanges.js';
import type { Analysis, Effect } from './effect.js';
import { markGuard } from './guardSelf.js';
import { callTool } from './kinds/callTool.js';
import { delegate } from './kinds/delegate.js';
import { deleteFile } from './kinds/deleteFile.js';
import { editFile } from './kinds/editFile.js';
import { httpRequest } from './kinds/httpRequest.js';
import { listFiles } from './kinds/listFiles.js';
import { moveFile } from './kinds/moveFile.js';
import { queryDatabase } from './kinds/queryDatabase.js';
import { readFile } from './kinds/readFile.js';
import { searchFiles } from './kinds/searchFiles.js';
import { nothingKnown } from './kinds/shared.js';
import { writeFile } from './kinds/writeFile.js';
import { markRemoteShells } from './remoteShell.js';
import { analyseShell } from './shell/analyseShell.js';
import { excessEffect } from './shell/collector.js';
import type { View } from './view.js';

/** How each kind is turned into effects. A kind added to the table of kinds does not compile without its line here. */
const ANALYSERS: { readonly [K in Kind]: (params: ParamsOf[K], view: View) => Analysis } = {
  ListFiles: listFiles,
  ReadFile: readFile,
  SearchFiles: searchFiles,
  WriteFile: writeFile,
  EditFile: editFile,
  DeleteFile: deleteFile,
  MoveFile: moveFile,
  ExecuteShell: analyseShell,
  HttpRequest: httpRequest,
  QueryDatabase: queryDatabase,
  CallTool: callTool,
  Delegate: delegate,
};

const byKind = <K extends Kind>(kind: K, params: ParamsOf[K], view: View): Analysis => ANALYSERS[kind](params, view);

/** The analysis of a line, with what the files that it writes bring. */
const changesMarked = ({ command }: ParamsOf['ExecuteShell'], analysis: Analysis, view: View): Analysis =>
  markChanges(analysis, command, view);

/** More effects than this of one proposal are not named one by one: each is judged, and judging all has to come to an end. */
const MOST_EFFECTS = 700;

/** Whether an effect says no more than that a program starts or something ordinary is looked at: the first to be left out. */
const isSlight = ({ op, traits }: Effect): boolean => /^(?:execute|list|read)$/.test(op) && traits.length === 0;

function bounded(analysis: Analysis): Analysis {
  if (analysis.effects.length <= MOST_EFFECTS) return analysis;
  const grave = analysis.effects.filter((effect) => !isSlight(effect));
  const rest = excessEffect('what it does besides is too much to be named');
  return { ...analysis, effects: [...grave.slice(0, MOST_EFFECTS), rest] };
}

/**
 * From a proposal to what it would do. Total: it never throws and never answers "nothing" where the truth is "not known"; a
 * fault of our own on the way is an `unknown` effect, which no policy lets pass silently.
 */
export function analyse(proposal: Proposal, view: View): Analysis {
  try {
    const analysis = bounded(markRemoteShells(byKind(proposal.kind, proposal.params, view)));
    return markGuard(
      proposal,
      proposal.kind === 'ExecuteShell' ? changesMarked(proposal.params, analysis, view) : analysis,
      view,
    );
  } catch (error) {
    // Whatever went wrong here (a bug, a stack that ran out) says nothing about the proposal.
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return nothingKnown(`${proposal.kind} could not be analysed (${why})`, view);
  }
}
