import path from 'node:path';
import v8 from 'node:v8';
import { pathToFileURL } from 'node:url';
import { hookMain, type JudgeAlone } from './hookClient.js';

// See main.ts: the process must not wait for the optimising compiler when it has long answered.
v8.setFlagsFromString('--wasm-tiering-budget=200000000');

/** The rest of the command line, loaded from beside this bundle only when no engine answers. */
const judgeAlone: JudgeAlone = async (...call) => {
  const cli = (await import(pathToFileURL(path.join(__dirname, 'cli.js')).href)) as {
    readonly judgeAlone: () => Promise<{ readonly judgeAlone: JudgeAlone }>;
  };
  return (await cli.judgeAlone()).judgeAlone(...call);
};

void hookMain(process.argv.slice(2), judgeAlone).then(({ stdout, stderr, exitCode }) => {
  process.stderr.write(stderr);
  // Exits when it is written: a host waits for the end of the process, and nothing that is left over may keep it.
  process.stdout.write(stdout, () => process.exit(exitCode));
});
