import assert from 'node:assert/strict';
import { Slots } from '../../../src/core/gate/slots.js';

describe('room for acts', () => {
  it('lets so many go on at once, the others in their order, and gives the room back after a failure too', async () => {
    const slots = new Slots(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const acts = Array.from({ length: 9 }, (_unused, index) =>
      slots.run(async () => {
        order.push(index);
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (index % 3 === 0) throw new Error('broken');
        return index;
      }),
    );
    const settled = await Promise.allSettled(acts);
    assert.equal(most, 2);
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert.equal(settled.filter(({ status }) => status === 'rejected').length, 3);
    assert.equal(await slots.run(() => Promise.resolve('after')), 'after');
  });
});
