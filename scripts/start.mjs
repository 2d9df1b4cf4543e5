// The first step of `npm start`: plain JavaScript, so that it runs where nothing is installed yet. It makes sure that Node is
// new enough and the packages are there, and hands over to start.ts.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Lacuna needs Node 20.19 or newer; this is ${process.versions.node}. Get it from https://nodejs.org.`);
  process.exit(1);
}

const run = (program, args) =>
  spawnSync(program, args, { cwd: repository, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;

if (!existsSync(path.join(repository, 'node_modules/tsx/package.json'))) {
  console.log('Installing the packages (npm ci; once) …');
  if (run('npm', ['ci', '--no-audit', '--no-fund']) !== 0) {
    console.error(
      'The packages could not be installed. Check the network and the npm registry (npm ping), then try again.',
    );
    process.exit(1);
  }
}
// Ctrl-C goes to the whole group: this process waits until the editor has ended.
process.on('SIGINT', () => {});
process.exit(
  run(process.execPath, ['--import', 'tsx', path.join(repository, 'scripts/start.ts'), ...process.argv.slice(2)]),
);
