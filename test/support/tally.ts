import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * Mocha's spec report, and one JSON line with the counts of the run for whoever adds up several runs:
 * `{"passed":12,"failed":0}` appended to the file that `LACUNA_TALLY` names.
 */
export default class Tally extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['LACUNA_TALLY'];
    if (file === undefined) return;
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      appendFileSync(file, `${JSON.stringify({ passed: passes, failed: failures })}\n`);
    });
  }
}
