import { loadBundle } from './bundle.js';
import { favourStart } from './v8Flags.js';

favourStart();
const [verb = ''] = process.argv.slice(2);
const { main, processIo } = loadBundle(/^[a-z]+$/.test(verb) ? verb : 'help');
void main(process.argv.slice(2), processIo).then((code) => {
  process.exitCode = code;
});
