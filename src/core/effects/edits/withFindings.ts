import { destinationOf, literalTarget } from '../net/destination.js';
import type { PathEffect } from '../pathEffects.js';
import type { Finding } from './finding.js';

const joined = (...notes: readonly string[]): string => notes.filter((note) => note !== '').join('; ');

/** The effects of a write, of which it is the first, with all that was found out about the change. */
export function withFindings<E extends PathEffect>(effects: readonly E[], findings: readonly Finding[]): readonly E[] {
  const [write, ...rest] = effects;
  if (write === undefined || findings.length === 0) return effects;
  const marks = findings.filter((finding) => finding.type === 'mark');
  const notes = marks.map(({ note }) => note);
  const told = {
    ...write,
    traits: [...new Set([...write.traits, ...marks.flatMap(({ trait }) => trait ?? [])])],
    note: joined(write.note, ...notes),
  };
  const persists = findings.flatMap((finding): E[] =>
    finding.type === 'later'
      ? [{ ...write, op: 'persist', traits: [...write.traits, ...finding.traits], note: finding.note }]
      : [],
  );
  return [
    told,
    ...rest.map((effect) => (effect.op === 'persist' ? { ...effect, note: joined(effect.note, ...notes) } : effect)),
    ...persists,
    ...findings.flatMap((finding) => fetched(write, finding)),
  ];
}

/** The request that somebody else's program makes because of what was written. */
function fetched<E extends PathEffect>(write: E, finding: Finding): readonly E[] {
  if (finding.type !== 'fetch') return [];
  const destination = destinationOf(literalTarget(finding.url), 'GET');
  if (destination.type !== 'network') return [];
  const { resource, traits, certainty } = destination;
  return [{ ...write, op: 'network', resource, certainty, reversible: 'yes', traits: [...traits], note: finding.note }];
}
