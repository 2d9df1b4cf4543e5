import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findDesktop } from './host/desktop.js';
import { install } from './host/install.js';
import { repository } from './host/place.js';
import { prepareProfile } from './host/profile.js';
import { installVsix } from './host/vsix.js';
import { startWebEditor } from './host/webEditor.js';
import { packageExtension } from './package.js';
import { mustRun } from './run.js';
import { sampleFolder } from './sample.js';
import { main, say, step, Trouble } from './say.js';

const HELP = `npm start [-- FLAGS]

Opens an editor with Lacuna on a small sample project: desktop VS Code where there is one, else VS Code in the browser.

  --web        in the browser, even if there is a desktop VS Code
  --no-open    print the address, open nothing
  --port N     port of the web editor (default: any free one)
  --fresh      a new copy of the sample project; what was changed in the old one is lost
`;

const WHAT_NEXT =
  'Once the status bar below shows Lacuna, type into the chat:\n\n  @lacuna the discount test fails, fix it\n';

main(async () => {
  const { values } = parseArgs({
    options: {
      web: { type: 'boolean' },
      'no-open': { type: 'boolean' },
      port: { type: 'string' },
      fresh: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    say(HELP);
    return 0;
  }
  const port = values.port === undefined ? 0 : Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Trouble(`--port must be a port, not "${values.port}".`);
  const sample = await sampleFolder(values.fresh === true ? 'fresh' : 'kept');
  const desktop = values.web === true || values['no-open'] === true ? null : findDesktop();
  return desktop === null ? inBrowser(sample, port, values['no-open'] !== true) : onDesktop(desktop, sample);
});

/** Opens desktop VS Code with a profile of its own, so that nothing of the person's own is changed. */
async function onDesktop(program: string, sample: string): Promise<number> {
  await step('Building Lacuna', () => mustRun('node', ['esbuild.js'], 'The build failed', { cwd: repository }));
  const profile = path.join(repository, 'out/desktop');
  prepareProfile(path.join(profile, 'data'));
  const args = [
    '--new-window',
    `--extensionDevelopmentPath=${repository}`,
    `--user-data-dir=${path.join(profile, 'data')}`,
    `--extensions-dir=${path.join(profile, 'extensions')}`,
    sample,
  ];
  await mustRun(program, args, 'VS Code could not be opened. Try npm start -- --web');
  say(`VS Code opens on ${sample}.\n\n${WHAT_NEXT}`);
  return 0;
}

/** Serves VS Code on 127.0.0.1 until Ctrl-C. */
async function inBrowser(sample: string, port: number, isToOpen: boolean): Promise<number> {
  await install('editor');
  const profile = path.join(repository, 'out/web');
  mkdirSync(profile, { recursive: true });
  const vsix = await step('Building and packing Lacuna', packageExtension);
  await step('Installing Lacuna into the editor', () => installVsix(profile, vsix));
  // The editor host comes without TypeScript and would say so at the first JavaScript file; this repository has it.
  const settings = { 'js/ts.tsdk.path': path.join(repository, 'node_modules/typescript/lib') };
  const editor = await startWebEditor({ profile, settings, purpose: 'use', port });
  const address = editor.address(sample);
  say(`\nThe editor is ready. Open:\n\n  ${address}\n\n${WHAT_NEXT}\nCtrl-C here ends it.`);
  if (isToOpen) openAddress(address);
  const interrupted = new Promise<null>((resolve) => {
    process.once('SIGINT', () => resolve(null));
  });
  const why = await Promise.race([editor.ended, interrupted]);
  if (why !== null) throw new Trouble(why);
  await editor.stop();
  say('\nThe editor has ended.');
  return 0;
}

/** Opens the person's browser where there is a screen. Not being able to is no failure: the address is printed. */
function openAddress(address: string): void {
  const isLinux = process.platform === 'linux';
  if (isLinux && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) return;
  const [program, args] =
    process.platform === 'win32'
      ? ['cmd', ['/c', 'start', '', address.replaceAll('&', '^&')]]
      : [isLinux ? 'xdg-open' : 'open', [address]];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => say('The browser could not be opened: open the address yourself.'));
  child.unref();
}
