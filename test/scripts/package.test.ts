import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import JSZip from 'jszip';
import { packageExtension } from '../../scripts/package.js';

const MOST_BYTES = 8 * 1024 * 1024;
/** What has to be there for the extension, the command line, the hooks and their parsers to work. */
const NEEDED = [
  'package.json',
  'dist/extension.js',
  'dist/cli.js',
  'dist/hook.js',
  'dist/reviewer.js',
  'models/linear.json',
  'models/starter.gguf',
  'models/starter.json',
  'models/list.json',
  'models/benchmark.jsonl',
  'dist/lookWorker.js',
  'dist/web-tree-sitter.wasm',
  'dist/tree-sitter-bash.wasm',
  'dist/sql-wasm.wasm',
  'plugin/.claude-plugin/plugin.json',
  'plugin/hooks/hooks.json',
  'plugin/hook.sh',
  'plugin/hook.cmd',
  'dist/node_modules/@anthropic-ai/sandbox-runtime/package.json',
];
/** Sources, tests, maps, and what only a checkout has. */
const UNWANTED = /\.tsx?$|\.map$|\.(test|spec|cases)\.|(^|\/)tests?\/|^(src|test|scripts|samples|out)\/|(^|\/)\.git/;

/** Unpacks the extension's part of a VSIX as an editor does. Returns the names of its files. */
async function unpack(vsix: string, into: string): Promise<readonly string[]> {
  const zip = await JSZip.loadAsync(readFileSync(vsix));
  const names: string[] = [];
  for (const entry of Object.values(zip.files)) {
    if (entry.dir || !entry.name.startsWith('extension/')) continue;
    const name = entry.name.slice('extension/'.length);
    const file = path.join(into, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, await entry.async('nodebuffer'));
    names.push(name);
  }
  return names;
}

describe('the package that people install @slow', function () {
  this.timeout(180_000);
  let folder = '';
  let sizeBytes = Infinity;
  let names: readonly string[] = [];
  const start = (program: string, args: readonly string[], input: unknown): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, [path.join(folder, 'extension', program), ...args], {
      cwd: folder,
      encoding: 'utf8',
      input: `${JSON.stringify(input)}\n`,
      env: { ...process.env, XDG_STATE_HOME: path.join(folder, 'state'), LOCALAPPDATA: path.join(folder, 'state') },
    });

  before(async () => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'lacuna-package-')));
    const vsix = await packageExtension();
    sizeBytes = statSync(vsix).size;
    names = await unpack(vsix, path.join(folder, 'extension'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('holds all that is needed to work', () => {
    assert.deepEqual(
      NEEDED.filter((name) => !names.includes(name)),
      [],
    );
  });
  it('holds no source and no test', () =>
    assert.deepEqual(
      names.filter((name) => UNWANTED.test(name)),
      [],
    ));
  it('holds the pictures and pages that its README points to', () => {
    const page = names.find((name) => /^readme\.md$/i.test(name)) ?? ''; // its case is the packer's own
    const readme = readFileSync(path.join(folder, 'extension', page), 'utf8');
    const pictures = [...readme.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    assert.ok(pictures.length > 0);
    assert.deepEqual(
      pictures.filter((target) => !names.includes(target)),
      [],
    );
  });
  it('is under 8 MB', () => assert.ok(sizeBytes < MOST_BYTES, `${String(sizeBytes)} bytes`));
  it('names no proposed API, which editors refuse to install', () => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'extension/package.json'), 'utf8')) as object;
    assert.ok(!('enabledApiProposals' in manifest));
  });
  it('judges a trace from where it was unpacked', () => {
    const steps = ['ls -la', 'rm -rf /'].map((command) => ({ kind: 'ExecuteShell', params: { command } }));
    const { status, stdout } = start('dist/cli.js', ['check'], { id: 'packed', workspace: folder, steps });
    const answer = JSON.parse(stdout) as { readonly final: string; readonly steps: readonly { verdict: string }[] };
    assert.equal(status, 0);
    assert.deepEqual(
      answer.steps.map(({ verdict }) => verdict),
      ['allow', 'deny'],
    );
    assert.equal(answer.final, 'deny');
  });
  it('refuses by its hook without an editor', () => {
    const call = {
      session_id: 'packed',
      transcript_path: '',
      cwd: folder,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf /' },
    };
    const { status, stdout } = start('dist/hook.js', ['--agent', 'claude'], call);
    assert.match(stdout, /"permissionDecision":"deny"/);
    assert.equal(status, 2);
  });
  it('fills by its gate without an editor, and shows the audit of it', () => {
    writeFileSync(path.join(folder, 'seen.txt'), '');
    const { status, stdout, stderr } = start('dist/cli.js', ['run', '--workspace', folder, '--', 'ls'], null);
    assert.match(stdout, /^seen\.txt$/m, stderr);
    assert.equal(status, 0);
    const audit = start('dist/cli.js', ['audit', 'verify'], null);
    assert.match(audit.stdout, /: whole, [1-9]\d* lines/, audit.stderr);
  });
  it('serves its tools without an editor', () => {
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'packed', version: '1' } };
    const { stdout, stderr } = start('dist/cli.js', ['mcp', '--workspace', folder], {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: hello,
    });
    assert.match(stdout, /"serverInfo"/, stderr);
  });
  it('nothing that runs without an editor leads to a file that needs its API', () => {
    const dist = path.join(folder, 'extension/dist');
    const needs = (name: string): readonly string[] =>
      [...readFileSync(path.join(dist, name), 'utf8').matchAll(/require\("(?:\.\/)?([\w.-]+)"\)/g)].map(
        ([, one]) => one ?? '',
      );
    const known = new Set(readdirSync(dist));
    const reached = new Set(['lacuna.js', 'cli.js', 'hook.js', 'reviewer.js', 'lookWorker.js']);
    for (const name of reached) for (const next of needs(name)) if (known.has(next)) reached.add(next);
    assert.ok(reached.size > 10, 'the files are named another way than this test knows');
    assert.deepEqual(
      [...reached].filter((name) => needs(name).includes('vscode')),
      [],
    );
  });
});
