import assert from 'node:assert/strict';
import type { Outcome } from '../../src/core/gate/outcome.js';
import type { Tools } from '../../src/executors/callTool.js';
import { maskFoundSecrets } from '../../src/executors/output.js';
import { textOf, Workspace } from './workspace.js';

describe('CallTool', () => {
  const call = async (tools: Tools | null, cancel?: AbortSignal): Promise<Outcome> => {
    const ws = new Workspace({ ...(tools === null ? {} : { tools }), mask: maskFoundSecrets });
    try {
      return await ws.fill(
        'CallTool',
        { tool: 'create_issue', server: 'github', input: { title: 'x' } },
        cancel === undefined ? {} : { cancel },
      );
    } finally {
      ws.dispose();
    }
  };
  const answering = (text: string, isError = false): Tools => ({ call: () => Promise.resolve({ text, isError }) });

  it('hands on exactly what was judged, and whose call it is', async () => {
    const seen: unknown[] = [];
    await call({
      call: (what, lacuna) => {
        seen.push(what, lacuna.kind);
        return Promise.resolve({ text: '', isError: false });
      },
    });
    assert.deepEqual(seen, [{ tool: 'create_issue', server: 'github', input: { title: 'x' } }, 'CallTool']);
  });

  it('gives what the tool answers as data from outside, masked and without control sequences', async () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('');
    const outcome = await call(answering(`\u001b[31mdone\u001b[0m ${token}`));
    assert.ok(outcome.type === 'filled');
    assert.equal(outcome.output.isUntrusted, true);
    assert.match(outcome.output.text, /^done /);
    assert.equal(outcome.output.text.includes(token), false);
    assert.equal(outcome.output.maskedSecrets, 1);
  });

  it('says that it failed when the tool says so, and not that nothing was changed', async () => {
    const outcome = await call(answering('no such repository', true));
    assert.ok(outcome.type === 'failed');
    assert.match(textOf(outcome), /no such repository/);
    assert.deepEqual(outcome.damage, ['what it may have done before it failed']);
  });

  it('is not at hand without an editor, nor for a tool that is not there', async () => {
    assert.equal((await call(null)).type, 'unavailable');
    assert.equal((await call({ call: () => Promise.resolve(null) })).type, 'unavailable');
  });

  it('ends when it is cancelled, whether the tool listens or not', async () => {
    const controller = new AbortController();
    let isTold = false;
    const deaf: Tools = {
      call: (_what, _lacuna, cancel) => {
        cancel.addEventListener('abort', () => (isTold = true), { once: true });
        setImmediate(() => controller.abort());
        return new Promise(() => undefined);
      },
    };
    const outcome = await call(deaf, controller.signal);
    assert.equal(outcome.type, 'cancelled');
    assert.match(textOf(outcome), /may have acted/);
    assert.equal(isTold, true);
  });
});
