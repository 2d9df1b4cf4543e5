import type { Value } from '../../code/value.js';

/** Which parameters a cmdlet has. Names are lower case. */
export interface Parameters {
  /** Those that take a value, by position where they have one. */
  readonly positions: readonly string[];
  readonly values: ReadonlySet<string>;
  readonly switches: ReadonlySet<string>;
}

/** What a cmdlet was called with. */
export interface Binding {
  readonly given: ReadonlyMap<string, Value>;
  readonly switches: ReadonlySet<string>;
  /** Arguments that no position takes. */
  readonly rest: readonly Value[];
  /** Parameters that are not known, as written. */
  readonly unknown: readonly string[];
}

/** An argument as the walker has evaluated it. */
export type Given =
  | { readonly kind: 'parameter'; readonly name: string; readonly value: Value | null; readonly isOff: boolean }
  | { readonly kind: 'argument'; readonly value: Value };

/** Parameters that every cmdlet has. Source: about_CommonParameters. */
const COMMON_VALUES =
  'erroraction warningaction informationaction progressaction errorvariable warningvariable informationvariable outvariable outbuffer pipelinevariable'.split(
    ' ',
  );
const COMMON_SWITCHES = ['verbose', 'debug', 'whatif', 'confirm', 'usetransaction'];
const SHORT: ReadonlyMap<string, string> = new Map([
  ['ea', 'erroraction'],
  ['wa', 'warningaction'],
  ['infa', 'informationaction'],
  ['proga', 'progressaction'],
  ['ev', 'errorvariable'],
  ['wv', 'warningvariable'],
  ['iv', 'informationvariable'],
  ['ov', 'outvariable'],
  ['ob', 'outbuffer'],
  ['pv', 'pipelinevariable'],
  ['vb', 'verbose'],
  ['db', 'debug'],
  ['wi', 'whatif'],
  ['cf', 'confirm'],
  ['lp', 'literalpath'],
  ['pspath', 'literalpath'],
  ['cn', 'computername'],
]);

/** Binds arguments to parameters as PowerShell does: by name, by an abbreviation that names only one, then by position. */
export function bind(parameters: Parameters, given: readonly Given[]): Binding {
  const values = new Map<string, Value>();
  const switches = new Set<string>();
  const free: Value[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < given.length; at += 1) {
    const one = given[at];
    if (one?.kind === 'argument') {
      free.push(one.value);
      continue;
    }
    if (!one) continue;
    const name = resolved(parameters, one.name.toLowerCase());
    if (name === null) {
      unknown.push(`-${one.name}`);
      continue;
    }
    if (parameters.switches.has(name) || COMMON_SWITCHES.includes(name)) {
      if (!one.isOff) switches.add(name);
      continue;
    }
    const next = given[at + 1];
    if (one.value !== null) values.set(name, one.value);
    else if (next?.kind === 'argument') {
      values.set(name, next.value);
      at += 1;
    }
  }
  const open = parameters.positions.filter((position) => !values.has(position));
  free.forEach((value, at) => {
    const position = open[at];
    if (position !== undefined) values.set(position, value);
  });
  return { given: values, switches, rest: free.slice(open.length), unknown };
}

/** The one parameter that a written name means; null when there is none or more than one. */
function resolved(parameters: Parameters, written: string): string | null {
  const short = SHORT.get(written);
  const all = [...parameters.values, ...parameters.switches];
  if (all.includes(written)) return written;
  if (short !== undefined) return short;
  const matches = [...new Set([...all, ...COMMON_VALUES, ...COMMON_SWITCHES])].filter((name) =>
    name.startsWith(written),
  );
  const own = matches.filter((name) => all.includes(name));
  if (own.length === 1) return own[0] ?? null;
  if (own.length === 0 && matches.length === 1) return matches[0] ?? null;
  // Of several, those that mean the same: `-Rec` is `-Recurse` although other parameters begin so too.
  return own.length > 1 && own.every((name) => parameters.switches.has(name)) ? (own[0] ?? null) : null;
}
