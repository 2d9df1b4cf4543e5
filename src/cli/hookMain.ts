import { loadBundle } from './bundle.js';
import { hookMain, type JudgeAlone } from './hookClient.js';
import { favourStart } from './v8Flags.js';

/** The rest of the command line, loaded from beside this bundle only when no engine answers. */
const judgeAlone: JudgeAlone = async (...call) => {
  favourStart();
  const { judgeAlone: load } = loadBundle('hook');
  return (await load()).judgeAlone(...call);
};

// A host that has given up ends the shell that started us, not always us. Then nobody reads the answer, and no person should
// be asked for it any longer: our end of the connection tells the engine.
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(2), 500).unref();

void hookMain(process.argv.slice(2), judgeAlone).then(({ stdout, stderr, exitCode }) => {
  process.stderr.write(stderr);
  // Exits when it is written: a host waits for the end of the process, and nothing that is left over may keep it.
  process.stdout.write(stdout, () => process.exit(exitCode));
});
