import type { Word } from '../effect.js';
import { traps } from '../shell/environmentTraps.js';
import type { Handler, LibraryCall } from './library.js';
import { knownText, optionsOf, UNKNOWN, wordOf, type Value } from './value.js';

/** Names of modules that are the environment: `os.environ`, `process.env`, Ruby's and Perl's `ENV`. */
export const isEnvironment = (value: Value): boolean =>
  (value.kind === 'module' && /(?:^|\.)environ$|process\.env$|^ENV$/.test(value.name)) ||
  (value.kind === 'instance' && value.type === 'environ');

/** Sets the variables that a map names, or one by name and value. */
export const setsEnvironment: Handler = (call) => {
  const [first, second] = call.positional;
  const name = knownText(first);
  if (name !== null && second !== undefined) call.host.setVariable(name, wordOf(second));
  for (const map of [first, ...call.named.values()]) setAll(call, map);
  return call.receiver ?? UNKNOWN;
};

/** PHP's and Perl's way: `NAME=value` as one text. */
export const putsVariable: Handler = (call) => {
  for (const option of optionsOf(call.positional[0] ?? UNKNOWN)) {
    const { text, ...word } = wordOf(option);
    const at = text.indexOf('=');
    if (at > 0) call.host.setVariable(text.slice(0, at), { ...word, text: text.slice(at + 1) });
  }
  return UNKNOWN;
};

function setAll(call: LibraryCall, map: Value | undefined): void {
  if (map?.kind === 'map') for (const [name, value] of map.entries) call.host.setVariable(name, wordOf(value));
}

/** What a process that code starts finds set: by the code before, and by this call (`env=…`, or Ruby's first argument). */
export function environmentOf(call: LibraryCall): ReadonlyMap<string, Word> {
  const { host, named, positional } = call;
  const [first] = positional;
  const option =
    named.get('env') ??
    positional.flatMap((value) => (value.kind === 'map' ? (value.entries.get('env') ?? []) : [])).at(0) ??
    (positional.length > 1 ? first : undefined);
  const entries =
    option?.kind === 'map' ? [...option.entries].map(([name, value]) => [name, wordOf(value)] as const) : [];
  return entries.length === 0 ? host.variables : new Map([...host.variables, ...entries]);
}

/** The same for a line of the system's shell, which is told the variables as its own. */
export function lineEnvironment(call: LibraryCall): ReadonlyMap<string, Word> {
  const environment = environmentOf(call);
  for (const [name, value] of environment) traps(name, value, call.host.frame.run);
  return environment;
}
