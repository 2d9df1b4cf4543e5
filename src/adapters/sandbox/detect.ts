import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BackendReport, Missing, SandboxReport } from '../../core/sandboxReport.js';

const TIMEOUT_MS = 5_000;

/** What a program answered: its output, or why it did not. */
interface Answer {
  readonly isOk: boolean;
  readonly text: string;
}

function ask(program: string, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS, windowsHide: true }, (error, stdout, stderr) => {
      resolve({ isOk: error === null, text: `${stdout}${stderr}`.trim() });
    });
  });
}

/** Absolute path of a program on PATH, or in the usual folders that an editor's own PATH may lack; null when it is nowhere. */
function find(name: string): string | null {
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const folder of folders)
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (!path.isAbsolute(file)) continue;
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error; // not there: look on
      }
    }
  return null;
}

const unusable = (name: BackendReport['name'], description: string, missing: readonly Missing[]): BackendReport => ({
  name,
  description,
  isUsable: false,
  missing,
  program: null,
});

/** Text of a small system file; null when it is not there. */
function readSetting(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/** Why user namespaces are refused, in the order in which distributions do it. */
function namespaceAdvice(answer: string): Missing {
  if (readSetting('/proc/sys/kernel/unprivileged_userns_clone') === '0')
    return {
      what: 'unprivileged user namespaces are switched off',
      howToGet: 'sudo sysctl kernel.unprivileged_userns_clone=1',
    };
  if (readSetting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1')
    return {
      what: 'AppArmor keeps bubblewrap from making namespaces',
      howToGet: 'Install an AppArmor profile for bwrap (Ubuntu 24.04: /etc/apparmor.d/bwrap with "userns,").',
    };
  if (readSetting('/proc/sys/user/max_user_namespaces') === '0')
    return { what: 'the number of user namespaces is 0', howToGet: 'sudo sysctl user.max_user_namespaces=10000' };
  return {
    what: `bubblewrap cannot isolate here (${answer.split('\n')[0] ?? ''})`,
    howToGet: 'Inside a container, allow nested user namespaces.',
  };
}

const APT = 'Debian and Ubuntu: sudo apt install';

async function detectLinux(): Promise<BackendReport> {
  const bwrap = find('bwrap');
  const socat = find('socat');
  const missing: Missing[] = [];
  if (socat === null)
    missing.push({ what: 'socat is not installed; without it no host can be opened', howToGet: `${APT} socat` });
  if (bwrap === null) {
    missing.unshift({
      what: 'bubblewrap is not installed',
      howToGet: `${APT} bubblewrap; Fedora: sudo dnf install bubblewrap`,
    });
    return unusable('sandbox-runtime', 'bubblewrap', missing);
  }
  const trial = await ask(bwrap, ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true']);
  if (!trial.isOk) return unusable('sandbox-runtime', 'bubblewrap', [namespaceAdvice(trial.text), ...missing]);
  const version = await ask(bwrap, ['--version']);
  return { name: 'sandbox-runtime', description: version.text, isUsable: true, missing, program: bwrap };
}

/** macOS has its sandbox built in; the library finds what else it needs. */
function detectMac(): BackendReport {
  const program = find('sandbox-exec');
  if (program === null)
    return unusable('sandbox-runtime', 'Seatbelt', [
      { what: 'sandbox-exec is not there', howToGet: 'It is part of macOS; check that /usr/bin is on PATH.' },
    ]);
  const missing: readonly Missing[] =
    find('rg') === null ? [{ what: 'ripgrep is not installed', howToGet: 'brew install ripgrep' }] : [];
  return { name: 'sandbox-runtime', description: 'Seatbelt', isUsable: missing.length === 0, missing, program };
}

/** Windows' form of the library has to be set up once by a person with administrator rights. */
async function detectWindows(): Promise<BackendReport> {
  const account = await ask('net.exe', ['user', 'srt-sandbox']);
  if (account.isOk)
    return { name: 'sandbox-runtime', description: 'srt-sandbox account', isUsable: true, missing: [], program: null };
  return unusable('sandbox-runtime', 'srt-sandbox account', [
    { what: 'the sandbox account is not set up', howToGet: 'npx @anthropic-ai/sandbox-runtime windows-install' },
  ]);
}

/** Whether an engine's client reaches its engine and the engine works. */
async function detectContainer(): Promise<BackendReport> {
  const missing: Missing[] = [];
  for (const name of ['docker', 'podman']) {
    const program = find(name);
    if (program === null) continue;
    const format = name === 'docker' ? '{{.ServerVersion}}' : '{{.Version.Version}}';
    const answer = await ask(program, ['info', '--format', format]);
    const version = answer.text.split('\n')[0] ?? '';
    if (answer.isOk && version !== '')
      return { name: 'container', description: `${name} ${version}`, isUsable: true, missing: [], program };
    missing.push({
      what: `${name} does not answer (${answer.text.split('\n').at(-1) ?? ''})`,
      howToGet: `Start its service, then try "${name} info".`,
    });
  }
  if (missing.length === 0) missing.push({ what: 'neither docker nor podman is installed', howToGet: `${APT} podman` });
  return unusable('container', 'docker or podman', missing);
}

/**
 * Looks at what this machine can isolate commands with. `native` asks for no container engine, which can take seconds to answer.
 * Starts small programs that change nothing.
 */
export async function detectSandboxes(which: 'native' | 'all' = 'all'): Promise<SandboxReport> {
  const native =
    process.platform === 'linux' ? detectLinux() : process.platform === 'darwin' ? detectMac() : detectWindows();
  return { backends: await Promise.all(which === 'all' ? [native, detectContainer()] : [native]) };
}
