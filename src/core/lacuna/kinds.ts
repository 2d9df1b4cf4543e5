import type { z } from 'zod';
import type { KindMetadata } from './kindMetadata.js';
import { callTool } from './kinds/callTool.js';
import { delegate } from './kinds/delegate.js';
import { deleteFile } from './kinds/deleteFile.js';
import { editFile } from './kinds/editFile.js';
import { executeShell } from './kinds/executeShell.js';
import { httpRequest } from './kinds/httpRequest.js';
import { listFiles } from './kinds/listFiles.js';
import { moveFile } from './kinds/moveFile.js';
import { queryDatabase } from './kinds/queryDatabase.js';
import { readFile } from './kinds/readFile.js';
import { searchFiles } from './kinds/searchFiles.js';
import { writeFile } from './kinds/writeFile.js';

/** Every kind of Lacuna there is. A kind added here asks the compiler for an analyser and an executor. */
export const KINDS = {
  ListFiles: listFiles,
  ReadFile: readFile,
  SearchFiles: searchFiles,
  WriteFile: writeFile,
  EditFile: editFile,
  DeleteFile: deleteFile,
  MoveFile: moveFile,
  ExecuteShell: executeShell,
  HttpRequest: httpRequest,
  QueryDatabase: queryDatabase,
  CallTool: callTool,
  Delegate: delegate,
} as const satisfies Record<string, KindMetadata>;

/** Name of a kind, as agents and policies write it. */
export type Kind = keyof typeof KINDS;

/** Parameters of each kind, as parsed by its schema. */
export type ParamsOf = { readonly [K in Kind]: z.infer<(typeof KINDS)[K]['params']> };

/** All kinds, in the order of the table. */
export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** Whether a word that came from outside names a kind. Own properties only: `constructor` is no kind. */
export const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word);
