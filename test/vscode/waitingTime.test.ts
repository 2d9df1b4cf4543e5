import assert from 'node:assert/strict';
import { WaitingTime } from '../../src/vscode/waitingTime.js';

describe('time that a session waits for the person', () => {
  it('counts while something waits, once, and for that session only', () => {
    let nowMs = 0;
    let tell = (): void => undefined;
    const waiting: string[] = [];
    const waits = { sessions: () => waiting, onChange: (listener: () => void) => ((tell = listener), () => undefined) };
    const time = new WaitingTime([waits], () => nowMs);
    const set = (ms: number, ...ids: string[]): void => {
      nowMs = ms;
      waiting.splice(0, Infinity, ...ids);
      tell();
    };
    set(100, 'a');
    set(150, 'a', 'a', 'b');
    nowMs = 160;
    assert.deepEqual([time.of('a'), time.of('b'), time.of('c')], [60, 10, 0]);
    set(200, 'b');
    set(300);
    nowMs = 9_000;
    assert.deepEqual([time.of('a'), time.of('b')], [100, 150]);
    set(10_000, 'a');
    nowMs = 10_001;
    assert.equal(time.of('a'), 101);
  });
});
