// Sets up what is missing before anything else of the project can run; plain Node, since nothing is installed yet.
// Idempotent: where all is there it takes a few milliseconds. What cannot be had is said in one sentence.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '..');
const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a program with its output shown; true when it ended well. */
const run = (program, args, environment = {}) =>
  spawnSync(program, args, {
    cwd: repository,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...environment },
  }).status === 0;

function isOnPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch (error) {
      if (error.code === undefined) throw error;
      return false;
    }
  });
}

/** Packages by their place, as a lock file tells them. */
const lockedPackages = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);

/** Whether what is installed is what the lock file says. Optional packages of other platforms may be missing. */
function isInstalled() {
  const installed = path.join(repository, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const versions = new Map(lockedPackages(installed).map(([place, { version }]) => [place, version]));
  return lockedPackages(path.join(repository, 'package-lock.json')).every(
    ([place, { version, optional }]) =>
      !place.startsWith('node_modules/') ||
      versions.get(place) === version ||
      (optional === true && !versions.has(place)),
  );
}

function installPackages() {
  if (isInstalled()) return true;
  say('Installing the packages of the project (about a minute)…');
  return run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Programs that the sandbox on Linux is made of, by Debian package. Without them commands are asked about, not isolated. */
const SANDBOX = { bwrap: 'bubblewrap', socat: 'socat', rg: 'ripgrep' };

function installSandbox() {
  if (process.platform !== 'linux') return;
  const missing = Object.keys(SANDBOX).filter((program) => !isOnPath(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => SANDBOX[program]);
  if (process.getuid() !== 0 || !isOnPath('apt-get')) {
    say(
      `No sandbox: ${missing.join(', ')} missing. Install it with your package manager, for example: sudo apt-get install ${packages.join(' ')}`,
    );
    return;
  }
  say(`Installing ${packages.join(', ')} for the sandbox…`);
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  if (!run('apt-get', install, quiet) && !(run('apt-get', ['update', '-qq'], quiet) && run('apt-get', install, quiet)))
    say('They could not be installed: commands will be asked about instead of isolated.');
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(`Lacuna needs Node 20.19 or newer; this is ${process.version}. Get it from your package manager or nodejs.org.`);
  process.exit(1);
}
if (!installPackages()) {
  say(
    'The packages could not be installed. Look at the lines above; without a network connection to the npm registry it cannot go on.',
  );
  process.exit(1);
}
installSandbox();
