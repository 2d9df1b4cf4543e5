import type { ProgramEntry } from '../run.js';
import { accessing } from './files/access.js';
import { archiving } from './files/archives.js';
import { awks } from './files/awk.js';
import { carrying } from './files/carriers.js';
import { comparing } from './files/compare.js';
import { encoding } from './files/encode.js';
import { environmental } from './files/environment.js';
import { filtering } from './files/filters.js';
import { finding } from './files/find.js';
import { listing } from './files/listing.js';
import { making } from './files/make.js';
import { outputting } from './files/output.js';
import { querying } from './files/json.js';
import { quiet } from './files/quiet.js';
import { removing } from './files/remove.js';
import { searching } from './files/search.js';
import { editing } from './files/sed.js';
import { shells } from './files/shells.js';
import { transferring } from './files/transfer.js';
import { feeding } from './files/xargs.js';

/** Programs of every Unix: files, text, and those that start others. */
export const filePrograms: readonly ProgramEntry[] = [
  ...quiet,
  ...filtering,
  ...listing,
  ...removing,
  ...transferring,
  ...making,
  ...accessing,
  ...searching,
  ...finding,
  ...feeding,
  ...editing,
  ...awks,
  ...archiving,
  ...encoding,
  ...comparing,
  ...querying,
  ...outputting,
  ...environmental,
  ...shells,
  ...carrying,
];
