import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Effect, SimpleCommand } from '../../src/core/effects/effect.js';
import { ok } from '../../src/core/result.js';
import type { Sandbox } from '../../src/executors/sandbox/sandbox.js';
import { noObligations, tightConfinement } from './permits.js';
import { Workspace } from './workspace.js';

const GOOD = '#!/bin/sh\necho good\n';
const evilFor = (ws: Workspace): string => `#!/bin/sh\necho evil > '${path.join(ws.outside, 'evil')}'\n`;

/** An execution of a file, as the analysis finds it. */
const executes = (file: string): Effect => ({
  op: 'execute',
  resource: { type: 'path', path: file, place: 'workspace', git: 'none' },
  certainty: 'exact',
  reversible: 'no',
  traits: [],
  command: 0,
  note: '',
});

/** A simple command, as far as bindings look at it. */
const commandOf = (cwd: string, ...words: readonly string[]): SimpleCommand => ({
  program: words[0] ?? '',
  argv: words.map((text) => ({ text, raw: text, certainty: 'exact' as const, quoted: false })),
  carrier: null,
  pipeline: 0,
  stage: 0,
  cwd,
  wrappers: [],
});

/** Puts a script with this content at a path, to be run. */
function script(file: string, content: string): void {
  writeFileSync(file, content);
  chmodSync(file, 0o755);
}

/** What an attacker does in the meantime. Each would make a command that was judged harmless do something else. */
const SWAPS: Readonly<Record<string, (ws: Workspace) => void>> = {
  'the script gets another content': (ws) => {
    script(ws.at('d/go.sh'), evilFor(ws));
  },
  'the script becomes a link to another one': (ws) => {
    rmSync(ws.at('d/go.sh'));
    symlinkSync(path.join(ws.outside, 'away/go.sh'), ws.at('d/go.sh'));
  },
  'the folder of the script becomes a link': (ws) => {
    renameSync(ws.at('d'), ws.at('moved'));
    symlinkSync(path.join(ws.outside, 'away'), ws.at('d'));
  },
  'the program on PATH is another file': (ws) => {
    renameSync(path.join(ws.outside, 'bin/tool'), path.join(ws.outside, 'bin/old'));
    script(path.join(ws.outside, 'bin/tool'), evilFor(ws));
  },
  'another program comes before it on PATH': (ws) => {
    script(path.join(ws.outside, 'first/tool'), evilFor(ws));
  },
  'the program on PATH becomes a link': (ws) => {
    rmSync(path.join(ws.outside, 'bin/tool'));
    symlinkSync(path.join(ws.outside, 'away/go.sh'), path.join(ws.outside, 'bin/tool'));
  },
};

/** Everything that a filling of a command waits for, in its order. After the last of them it starts the process at once. */
const MOMENTS = [
  'before it is spent',
  'at the spending',
  'while a credential is fetched',
  'while the walls are built',
  'at the last look',
] as const;
type Moment = (typeof MOMENTS)[number];

describe('swaps between the decision on a command and its filling', () => {
  const pathBefore = process.env['PATH'] ?? '';
  let ws: Workspace;
  let swapAt: (moment: Moment) => void = () => undefined;
  const walls: Sandbox = {
    name: 'sandbox-runtime',
    enclose: ({ argv, cwd, env }) => {
      swapAt('while the walls are built');
      const children = 'loose' as const;
      const finish = { cause: null, notes: [] };
      const enclosed = { launch: { argv, cwd, env, children }, kill: () => Promise.resolve() };
      return Promise.resolve(ok({ ...enclosed, finish: () => Promise.resolve(finish) }));
    },
    dispose: () => Promise.resolve(),
  };

  beforeEach(() => {
    ws = new Workspace({
      sandboxFor: () => walls,
      secrets: {
        get: () => {
          swapAt('while a credential is fetched');
          return Promise.resolve('value');
        },
      },
    });
    mkdirSync(ws.at('d'));
    for (const name of ['bin', 'first', 'away']) mkdirSync(path.join(ws.outside, name));
    script(ws.at('d/go.sh'), GOOD);
    script(path.join(ws.outside, 'bin/tool'), GOOD);
    script(path.join(ws.outside, 'away/go.sh'), evilFor(ws));
    process.env['PATH'] = `${ws.outside}/first:${ws.outside}/bin:${pathBefore}`;
  });
  afterEach(() => {
    process.env['PATH'] = pathBefore;
    swapAt = () => undefined;
    ws.dispose();
  });

  const fill = (): ReturnType<Workspace['fill']> =>
    ws.fill(
      'ExecuteShell',
      { command: 'd/go.sh; tool' },
      {
        confinement: tightConfinement,
        effects: [executes(ws.at('d/go.sh'))],
        commands: [commandOf(ws.root, 'd/go.sh'), commandOf(ws.root, 'tool')],
        obligations: {
          ...noObligations,
          credentials: [
            { from: { type: 'secret', key: 'k' }, into: { type: 'variable', name: 'KEY', template: '{}' } },
          ],
        },
        between: () => {
          swapAt('before it is spent');
        },
        atLook: (look) => {
          swapAt(look === 0 ? 'at the spending' : 'at the last look');
        },
      },
    );

  it('runs when nothing is swapped', async () => {
    const outcome = await fill();
    assert.ok(outcome.type === 'filled', JSON.stringify(outcome));
    assert.equal(outcome.output.text, 'good\ngood\n');
  });

  for (const [what, swap] of Object.entries(SWAPS))
    for (const moment of MOMENTS)
      it(`${what} ${moment}: it is not run`, async () => {
        let swaps = 0;
        swapAt = (now) => {
          if (now !== moment) return;
          swaps += 1;
          swap(ws);
        };
        const outcome = await fill();
        assert.equal(swaps, 1, 'the moment was reached once');
        assert.ok(outcome.type === 'void' && outcome.why === 'changed', JSON.stringify(outcome));
        assert.equal(existsSync(path.join(ws.outside, 'evil')), false);
        assert.deepEqual(
          readdirSync(ws.root).filter((name) => name !== 'd' && name !== 'moved'),
          [],
        );
      });
});
