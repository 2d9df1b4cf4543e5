import { bodiesOf } from '../audit/bodies.js';
import type { AuditBody } from '../audit/record.js';
import type { History } from './baseline.js';

/** One audited session as a baseline takes it in. */
export interface PastSession {
  /** Folders that it worked in. */
  readonly roots: readonly string[];
  /** Behaviour of each step that was permitted, in order. */
  readonly history: History;
}

/** Reads from the lines of an audit what the session did; null when it never started. Linear. */
export function pastSession(records: Iterable<AuditBody>): PastSession | null {
  let roots: readonly string[] | null = null;
  const history: (readonly string[])[] = [];
  for (const record of records)
    for (const body of bodiesOf(record)) {
      if (body.type !== 'session') continue;
      const { event } = body;
      if (event.type === 'started') roots = event.roots;
      if (event.type === 'decided' && event.isPermitted) history.push(event.impact.behaviour);
    }
  return roots === null ? null : { roots, history };
}
