import { instance, knownText, UNKNOWN, wordOf, type Value } from '../../code/value.js';
import type { Run } from '../run.js';
import { exactWord } from '../word.js';
import { eachOf } from './cmdlet.js';

/** What was put into an object by name. Objects are told apart by their value, which a variable keeps. */
const MEMBERS = new WeakMap<Value, Map<string, Value>>();

/** An object whose members matter later: `ProcessStartInfo`, `Process`. */
export function objectWith(type: string, members: Iterable<readonly [string, Value]>): Value {
  const object = instance(type);
  MEMBERS.set(object, new Map(members));
  return object;
}

/** Puts a value into an object; nothing where the object is not of this kind. */
export const putInto = (object: Value, name: string, value: Value): void => {
  MEMBERS.get(object)?.set(name, value);
};

/** A member that an object has been given; one that only holds more members comes into being when it is asked for. Null for any other. */
export function memberIn(object: Value, name: string): Value | null {
  const members = MEMBERS.get(object);
  if (!members) return null;
  const known = members.get(name);
  if (known !== undefined) return known;
  if (name !== 'startinfo' && name !== 'argumentlist') return null;
  const inner = objectWith(name === 'startinfo' ? 'startinfo' : 'argumentlist', []);
  members.set(name, inner);
  return inner;
}

/** `$info.ArgumentList.Add('x')`. */
export const addTo = (list: Value, value: Value): void => {
  const members = MEMBERS.get(list);
  members?.set(String(members.size), value);
};

/** Starts what the start data of a process names. Nothing where it names nothing. */
export function startFrom(info: Value, run: Run): void {
  const members = MEMBERS.get(info) ?? new Map<string, Value>();
  const file = members.get('filename');
  if (file === undefined) {
    run.carry([wordOf(UNKNOWN)]);
    return;
  }
  const list = members.get('argumentlist');
  const listed = list === undefined ? [] : [...(MEMBERS.get(list)?.values() ?? [])].map(wordOf);
  const isPrivileged = /^runas/i.test(knownText(members.get('verb')) ?? '');
  if (isPrivileged) run.emit('privilege', { type: 'process', process: 'runas' });
  const folder = members.get('workingdirectory');
  const argv = [wordOf(file), ...splitArguments(members.get('arguments')), ...listed];
  run.carry(argv, { isPrivileged, ...(folder === undefined ? {} : { cwd: wordOf(folder) }) });
}

/** A text of several arguments as the started program will split it; lists item by item. */
export function splitArguments(list: Value | undefined): ReturnType<typeof wordOf>[] {
  if (list === undefined) return [];
  return eachOf(list).flatMap((value) => {
    const text = knownText(value);
    // What stands around a part that is not known is known all the same.
    if (text === null)
      return value.kind === 'text'
        ? (value.word.text.match(/"[^"]*"|\S+/g) ?? []).map((word) =>
            word.includes('$') ? { ...value.word, text: word, raw: word } : exactWord(word.replace(/^"|"$/g, '')),
          )
        : [wordOf(value)];
    return (text.match(/"[^"]*"|\S+/g) ?? []).map((word) => exactWord(word.replace(/^"|"$/g, '')));
  });
}
