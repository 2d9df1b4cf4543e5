import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import * as vscode from 'vscode';

const ID = 'lacuna.lacuna';
const LACUNAS = 100;
/** Where `npm run bench` wants the numbers; nothing is measured without it. */
const report = process.env['LACUNA_BENCH'] ?? '';

/** Times that the extension host itself notes down. */
interface Marks {
  readonly MonacoPerformanceMarks?: {
    readonly getMarks: () => readonly { readonly name: string; readonly startTime: number }[];
  };
}

/** Milliseconds between two marks of an extension. */
function between(from: string, to: string, extension: string): number {
  const { MonacoPerformanceMarks: performance }: Marks = globalThis as Marks;
  const at = (name: string): number => {
    const mark = performance?.getMarks().find((one) => one.name === `code/extHost/${name}/${extension}`);
    assert.ok(mark, `the host has noted ${name}`);
    return mark.startTime;
  };
  return at(to) - at(from);
}

/** What the start of an extension takes, in milliseconds. */
const start = (extension: string): { readonly loadMs: number; readonly activateMs: number } => ({
  loadMs: between('willLoadExtensionCode', 'didLoadExtensionCode', extension),
  activateMs: between('willActivateExtension', 'didActivateExtension', extension),
});

/** Memory of the host in MiB. */
interface Memory {
  readonly resident: number;
  /** What JavaScript objects take. */
  readonly heap: number;
  /** What they hold outside the heap: memory that a WASM module has asked for counts here, touched or not. */
  readonly external: number;
}

/** Memory of the host, after all that is not used any more is given back. */
function memory(): Memory {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: rss / 2 ** 20, heap: heapUsed / 2 ** 20, external: external / 2 ** 20 };
}

/** Memory that has come between two looks. */
const growth = (from: Memory, to: Memory): Memory => ({
  resident: to.resident - from.resident,
  heap: to.heap - from.heap,
  external: to.external - from.external,
});

/** Waits until the host has done what it does at its start: what other extensions take then is not ours. At most half a minute. */
async function quiet(): Promise<void> {
  for (let second = 0, calm = 0; second < 30 && calm < 3; second += 1) {
    const { user, system } = process.cpuUsage();
    await setTimeout(1_000);
    const worked = process.cpuUsage({ user, system });
    calm = worked.user + worked.system < 50_000 ? calm + 1 : 0;
  }
}

const INPUTS: readonly (readonly [string, object])[] = [
  ['ReadFile', { path: 'cost.txt' }],
  ['ListFiles', { path: '.' }],
  ['SearchFiles', { query: 'morning' }],
  ['ExecuteShell', { command: 'rm -rf ~' }],
  ['ReadFile', { path: 'nothing.txt' }],
];

/** Lets an agent of the editor call our tools, one after another. */
async function invoke(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const [kind, input] = INPUTS[index % INPUTS.length] ?? ['ReadFile', {}];
    await vscode.lm.invokeTool(`lacuna_${kind}`, { input, toolInvocationToken: undefined });
  }
}

/** Does something while there is a file for the tools to read. */
async function withFile<T>(use: () => Promise<T>): Promise<T> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(root);
  const file = vscode.Uri.joinPath(root, 'cost.txt');
  await vscode.workspace.fs.writeFile(file, Buffer.from('good morning\n'.repeat(50)));
  try {
    return await use();
  } finally {
    await vscode.workspace.fs.delete(file);
  }
}

// This file comes last by its name: so many Lacunas, refused ones among them, raise the risk of the session that tools share, and
// what was allowed before is asked about then.
describe('memory of the host', () => {
  it('keeps little of what a Lacuna needed @slow', async function () {
    this.timeout(90_000);
    const kept = await withFile(async () => {
      await invoke(0, 60); // loads all, and fills what has a bound
      const before = memory();
      await invoke(0, LACUNAS);
      return growth(before, memory()).heap;
    });
    // A Lacuna stands in the session's state, its tree and its audit with some kilobytes; 600 bytes of text were read each time.
    assert.ok(kept < 3, `${LACUNAS} Lacunas left ${kept.toFixed(1)} MiB`);
  });
});

if (report !== '')
  describe('cost of the extension', () => {
    it('is written down', async function () {
      this.timeout(150_000);
      await vscode.extensions.getExtension(ID)?.activate();
      await quiet();
      const before = memory();
      const [after, later] = await withFile(async () => {
        await invoke(0, LACUNAS);
        const first = memory();
        await invoke(LACUNAS, 3 * LACUNAS);
        return [first, memory()] as const;
      });
      writeFileSync(
        report,
        JSON.stringify({
          own: start(ID),
          git: start('vscode.git'),
          growth: growth(before, after),
          later: growth(after, later),
          peakMiB: process.resourceUsage().maxRSS / 2 ** 10 - before.resident,
        }),
      );
    });
  });
