import assert from 'node:assert/strict';
import { inFolders } from '../../../src/core/agent/folders.js';
import type { Proposal } from '../../../src/core/lacuna/lacuna.js';

const THERE = new Set(['/w/app/src/a.ts', '/x/lib/src/b.ts', '/w/app/package.json', '/x/lib/package.json']);
const two = [
  { name: 'app', path: '/w/app' },
  { name: 'lib', path: '/x/lib' },
];
const world = (folders = two) => ({ folders, platform: 'linux' as const, isThere: (path: string) => THERE.has(path) });
const read = (path: string): Proposal => ({ kind: 'ReadFile', params: { path } });

/** Where a path is taken to; `?` when the agent has to say more. */
function placeOf(path: string, folders = two): string {
  const placed = inFolders(read(path), world(folders));
  return placed.ok && placed.value.kind === 'ReadFile' ? placed.value.params.path : '?';
}

describe('a relative path in a workspace of several folders', () => {
  it('is in the folder that it names', () => {
    assert.equal(placeOf('lib/new.ts'), '/x/lib/new.ts');
    assert.equal(placeOf('./app/src/a.ts'), '/w/app/src/a.ts');
    assert.equal(placeOf('app'), '/w/app');
  });
  it('is where it is there, when that is one place', () => assert.equal(placeOf('src/b.ts'), '/x/lib/src/b.ts'));
  it('is asked about when it is in more than one folder, or in none', () => {
    assert.deepEqual(
      ['package.json', 'src/new.ts', '.', './'].map((path) => placeOf(path)),
      ['?', '?', '?', '?'],
    );
  });
  it('is asked about with the names to choose from', () => {
    const placed = inFolders(read('package.json'), world());
    assert.match(placed.ok ? '' : placed.error, /"package\.json".*app, lib.*\/w\/app, \/x\/lib/);
  });
  it('is asked about when two folders bear its name', () =>
    assert.equal(placeOf('app/x.ts', [...two, { name: 'app', path: '/y/app' }]), '?'));
  it('stays as it is in one folder, in full, and below the home folder', () => {
    assert.equal(placeOf('package.json', two.slice(0, 1)), 'package.json');
    assert.deepEqual(
      ['/etc/hosts', '~/x'].map((path) => placeOf(path)),
      ['/etc/hosts', '~/x'],
    );
  });
  it('is written in full for each path of a move, and for the folder of a command', () => {
    const move = inFolders({ kind: 'MoveFile', params: { from: 'app/a', to: 'lib/a' } }, world());
    assert.deepEqual(move.ok && move.value.params, { from: '/w/app/a', to: '/x/lib/a' });
    const run = inFolders({ kind: 'ExecuteShell', params: { command: 'ls src', cwd: 'lib' } }, world());
    assert.deepEqual(run.ok && run.value.params, { command: 'ls src', cwd: '/x/lib' });
  });
});
