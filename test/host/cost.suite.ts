import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
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

/** Milliseconds between two marks of our extension. */
function between(from: string, to: string): number {
  const { MonacoPerformanceMarks: performance }: Marks = globalThis as Marks;
  const at = (name: string): number => {
    const mark = performance?.getMarks().find((one) => one.name === `code/extHost/${name}/${ID}`);
    assert.ok(mark, `the host has noted ${name}`);
    return mark.startTime;
  };
  return at(to) - at(from);
}

/** Memory of the host in MiB, after all that is not used any more is given back. */
function memory(): { readonly resident: number; readonly heap: number } {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: rss / 2 ** 20, heap: (heapUsed + external) / 2 ** 20 };
}

const INPUTS: readonly (readonly [string, object])[] = [
  ['ReadFile', { path: 'cost.txt' }],
  ['ListFiles', { path: '.' }],
  ['SearchFiles', { query: 'morning' }],
  ['ExecuteShell', { command: 'rm -rf ~' }],
  ['ReadFile', { path: 'nothing.txt' }],
];

if (report !== '')
  describe('cost of the extension', () => {
    it('is written down', async function () {
      this.timeout(150_000);
      await vscode.extensions.getExtension(ID)?.activate();
      const root = vscode.workspace.workspaceFolders?.[0]?.uri;
      assert.ok(root);
      await vscode.workspace.fs.writeFile(
        vscode.Uri.joinPath(root, 'cost.txt'),
        Buffer.from('good morning\n'.repeat(50)),
      );
      const before = memory();
      for (let index = 0; index < LACUNAS; index += 1) {
        const [kind, input] = INPUTS[index % INPUTS.length] ?? ['ReadFile', {}];
        await vscode.lm.invokeTool(`lacuna_${kind}`, { input, toolInvocationToken: undefined });
      }
      const after = memory();
      writeFileSync(
        report,
        JSON.stringify({
          loadMs: between('willLoadExtensionCode', 'didLoadExtensionCode'),
          activateMs: between('willActivateExtension', 'didActivateExtension'),
          residentMiB: after.resident - before.resident,
          heapMiB: after.heap - before.heap,
        }),
      );
    });
  });
