import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Clock, Hasher, Ids } from '../core/ports.js';

/** SHA-256 and HMAC-SHA-256 of Node. */
export const hasher: Hasher = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};

/** The machine's clocks. */
export const clock: Clock = {
  nowMs: () => Date.now(),
  nowMicros: () => Number(process.hrtime.bigint() / 1_000n),
};

/** Random UUIDs. */
export const ids: Ids = { next: () => randomUUID() };
