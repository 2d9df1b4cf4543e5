import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { inBaselineCode } from '../../src/adapters/baselineCode.js';

type Counting = (from: number) => number;

/** What a module exports as `f`. The types of WebAssembly belong to browsers. */
const exportOf = vm.runInThisContext(
  '(bytes) => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f',
) as (bytes: Uint8Array) => Counting;

/**
 * A function that counts down to 0 by steps, newly loaded: V8 compiles it when it is first called. Modules with the same bytes
 * would share what is compiled.
 */
function counting(step: number): Counting {
  // (func (export "f") (param i32) (result i32)
  //   (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const step))))) (local.get 0))
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const types = [1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f];
  const functions = [3, 2, 1, 0];
  const exported = [7, 5, 1, 1, 0x66, 0, 0];
  const body = [0, 0x03, 0x40, 0x20, 0, 0x41, step, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 0, 0x0b];
  const code = [10, body.length + 2, 1, body.length, ...body];
  return exportOf(Uint8Array.from([...header, ...types, ...functions, ...exported, ...code]));
}

/** Whether V8 has given a WASM function to its optimising compiler. */
function isOptimised(counted: Counting): boolean {
  v8.setFlagsFromString('--allow-natives-syntax');
  try {
    return vm.compileFunction('return %IsTurboFanFunction(counted)', ['counted'])(counted) as boolean;
  } finally {
    v8.setFlagsFromString('--no-allow-natives-syntax');
  }
}

/** Calls a function until it is optimised. False when it still is not after far more work than that takes. */
async function becomesOptimised(counted: Counting): Promise<boolean> {
  for (let round = 0; round < 100; round += 1) {
    counted(1_000_000);
    if (isOptimised(counted)) return true;
    await setTimeout(2); // the compiler works beside us
  }
  return false;
}

describe('baseline code', () => {
  it('stays as it is, however often it runs', async () => {
    const counted = counting(1);
    assert.equal(
      inBaselineCode(() => counted(3)),
      0,
    );
    assert.equal(await becomesOptimised(counted), false);
  });

  it('is for what is compiled meanwhile only, also when that fails', async () => {
    assert.throws(
      () =>
        inBaselineCode(() => {
          throw new Error('no');
        }),
      /no/,
    );
    assert.equal(await becomesOptimised(counting(2)), true);
  });
});
