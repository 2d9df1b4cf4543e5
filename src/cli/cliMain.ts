import { loadBundle } from './bundle.js';

/** Verbs that have compiled code of their own; what is mistyped is told of with that of the help. */
const USES = ['audit', 'check', 'checkpoint', 'eval', 'hook', 'policy', 'review', 'run'];
const [verb = ''] = process.argv.slice(2);
const { main, processIo } = loadBundle(USES.includes(verb) ? verb : 'help');
void main(process.argv.slice(2), processIo).then((code) => {
  process.exitCode = code;
});
