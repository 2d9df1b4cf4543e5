import type { CompiledPolicy, CompiledRule } from './compile.js';
import { listOf } from './subject.js';
import { strictness, type Mode } from './verdict.js';

/** Paths, as rules write them, that whatever runs in isolation is kept from. */
export interface DeniedPaths {
  /** May neither be read nor changed. */
  readonly unreadable: readonly string[];
  /** May be read only. */
  readonly unwritable: readonly string[];
}

const known = new WeakMap<CompiledPolicy, Partial<Record<Mode, DeniedPaths>>>();

/**
 * What people's rules deny whatever the circumstances, for the walls around code that nobody could read beforehand. Only rules on
 * nothing but paths and ops, since walls know no circumstances; and none to which a milder rule on paths is an exception, since
 * walls have no doors in them.
 */
export function deniedPaths(policy: CompiledPolicy, mode: Mode): DeniedPaths {
  const ofModes = known.get(policy) ?? {};
  known.set(policy, ofModes);
  return (ofModes[mode] ??= find(policy.rules.filter(isOfPeople), mode));
}

function find(rules: readonly CompiledRule[], mode: Mode): DeniedPaths {
  const barring = rules.filter(
    (rule) => rule.verdicts[mode] === 'deny' && isOnPathsAlone(rule) && !hasException(rule, rules, mode),
  );
  const paths = (op: 'read' | 'write'): readonly string[] =>
    barring.filter((rule) => bars(rule, op)).flatMap(({ spec }) => listOf<string>(spec.match.effect?.path ?? []));
  return { unreadable: [...new Set(paths('read'))], unwritable: [...new Set(paths('write'))] };
}

const isOfPeople = ({ layer }: CompiledRule): boolean => layer !== 'pack' && layer !== 'protection';

function isOnPathsAlone({ spec: { match } }: CompiledRule): boolean {
  const { effect, ...others } = match;
  if (effect?.path === undefined || Object.keys(others).length > 0) return false;
  return Object.keys(effect).every((name) => name === 'path' || name === 'op');
}

/** Whether another rule of the same layer that comes first lets some path pass. */
const hasException = (rule: CompiledRule, rules: readonly CompiledRule[], mode: Mode): boolean =>
  rules.some(
    (other) =>
      other.layer === rule.layer &&
      other.priority > rule.priority &&
      strictness(other.verdicts[mode]) < strictness('deny') &&
      other.spec.match.effect?.path !== undefined,
  );

/** A rule without ops is on all of them. */
function bars({ spec }: CompiledRule, op: 'read' | 'write'): boolean {
  const ops = spec.match.effect?.op;
  return ops === undefined || listOf<string>(ops).includes(op);
}
