import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import Tally from '../support/tally.js';

/** Runs all suites beside this file inside the extension host that loaded it. Rejects when one of them is red. */
export function run(): Promise<void> {
  const report = process.env['LACUNA_REPORT'];
  if (report) Mocha.reporters.Base.consoleLog = (...parts) => appendFileSync(report, `${format(...parts)}\n`);
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, color: true, reporter: Tally });
  const only = process.env['LACUNA_GREP'];
  if (only) mocha.grep(only);
  for (const file of readdirSync(__dirname).sort()) {
    if (file.endsWith('.suite.js')) mocha.addFile(path.join(__dirname, file));
  }
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
}
