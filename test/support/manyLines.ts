// Parses as many different lines as the argument says, and prints how many MiB V8 took at most for its own work.
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import { installedWasm, TreeSitter } from '../../src/adapters/treeSitter.js';

const lines = Number(process.argv[2]);
const syntax = new TreeSitter(installedWasm(path.resolve(import.meta.dirname, '../..')));
void syntax.load('bash').then(async () => {
  for (let line = 0; line < lines; line += 1) {
    if (syntax.parse('bash', `for f in *.log; do grep -v "$a" "$f" > ${line}.txt; done`) === null)
      throw new Error('A line was not parsed.');
    if (line % 100 === 0) await setTimeout(1); // compilers work beside us, and hand over what they made in between
  }
  console.log(v8.getHeapStatistics().peak_malloced_memory / 2 ** 20);
});
