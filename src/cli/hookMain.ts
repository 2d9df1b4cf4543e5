import { createRequire } from 'node:module';
import v8 from 'node:v8';
import { hookMain, type JudgeAlone } from './hookClient.js';

// See main.ts: the process must not wait for the optimising compiler when it has long answered.
v8.setFlagsFromString('--wasm-tiering-budget=200000000');

/**
 * The rest of the command line, loaded from beside this bundle only when no engine answers. Not by `import()`: that would scan
 * the whole bundle for names of exports before it runs it.
 */
const judgeAlone: JudgeAlone = async (...call) => {
  const cli = createRequire(__filename)('./cli.js') as {
    readonly judgeAlone: () => Promise<{ readonly judgeAlone: JudgeAlone }>;
  };
  return (await cli.judgeAlone()).judgeAlone(...call);
};

void hookMain(process.argv.slice(2), judgeAlone).then(({ stdout, stderr, exitCode }) => {
  process.stderr.write(stderr);
  // Exits when it is written: a host waits for the end of the process, and nothing that is left over may keep it.
  process.stdout.write(stdout, () => process.exit(exitCode));
});
