import v8 from 'node:v8';
import { loadBundle } from './bundle.js';

/** Verbs that have compiled code of their own; what is mistyped is told of with that of the help. */
const USES = ['audit', 'check', 'checkpoint', 'eval', 'hook', 'policy', 'review', 'run'];
const [verb = ''] = process.argv.slice(2);
// What judges many traces in a row would let its heap grow as long as there is room: a third less memory for a sixth more time.
// Compiled code is only good for the flags under which it was made, so this comes before any is loaded.
if (verb === 'check') v8.setFlagsFromString('--optimize-for-size');
const { main, processIo } = loadBundle(USES.includes(verb) ? verb : 'help');
void main(process.argv.slice(2), processIo).then((code) => {
  process.exitCode = code;
});
