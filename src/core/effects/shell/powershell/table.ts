import type { CmdletRow } from './cmdlet.js';
import { fileCmdlets } from './cmdlets/files.js';
import { networkCmdlets } from './cmdlets/network.js';
import { processCmdlets } from './cmdlets/processes.js';
import { systemCmdlets } from './cmdlets/system.js';

/** Cmdlets by lower-case name. A new one is a row in one of the files in `cmdlets/`. */
export const CMDLETS: ReadonlyMap<string, CmdletRow> = new Map(
  [...fileCmdlets, ...processCmdlets, ...networkCmdlets, ...systemCmdlets].map((row): [string, CmdletRow] => [
    row.name.toLowerCase(),
    row,
  ]),
);
