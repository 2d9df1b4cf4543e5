import { loadBundle } from './bundle.js';
import { hookMain, type JudgeAlone } from './hookClient.js';

/** The rest of the command line, loaded from beside this bundle only when no engine answers. */
const judgeAlone: JudgeAlone = async (...call) => {
  const { judgeAlone: load } = loadBundle('hook');
  return (await load()).judgeAlone(...call);
};

// A host that has given up ends the shell that it started, not us. Then nobody reads the answer, and no person should be asked
// for it any longer: our end of the connection tells the engine. The start script names that shell.
const parent = process.ppid;
const shell = Number(process.env['LACUNA_HOOK_SHELL'] ?? 0);

/** Whether a process is still there; one that is not ours to signal is. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
const isGivenUp = (): boolean => process.ppid !== parent || (shell > 1 && !isAlive(shell));
setInterval(() => !isGivenUp() || process.exit(2), 500).unref();

void hookMain(process.argv.slice(2), judgeAlone).then(({ stdout, stderr, exitCode }) => {
  process.stderr.write(stderr);
  // Exits when it is written: a host waits for the end of the process, and nothing that is left over may keep it.
  process.stdout.write(stdout, () => process.exit(exitCode));
});
