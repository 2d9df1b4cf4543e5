import { isOurCommand } from './command.js';
import { JsonText, listOf, objectOf, type JsonObject } from './jsonText.js';

/** What our hook of one event looks like in an agent's file. */
export interface WantedHook {
  readonly event: string;
  /** The entry of the event's list: a group of hooks, or the hook itself. */
  readonly entry: JsonObject;
}

/** Whether a hook is ours: its command names the start script. */
const isOurHook = (hook: unknown): boolean => {
  const fields = objectOf(hook);
  return fields !== null && ['command', 'bash', 'powershell'].some((name) => isOurCommand(fields[name]));
};

/** Whether all that an entry holds is ours. */
const isOurEntry = (entry: unknown): boolean => {
  const inner = listOf(objectOf(entry)?.['hooks']);
  return inner.length > 0 ? inner.every(isOurHook) : isOurHook(entry);
};

/** Whether something of an entry is ours, though not all. */
const holdsOurs = (entry: unknown): boolean => listOf(objectOf(entry)?.['hooks']).some(isOurHook);

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Takes our hooks of an event out, those that are as wanted kept. Hooks of others in the same group stay. */
function takeOut(file: JsonText, event: string, wanted: JsonObject | null): void {
  const entries = listOf(file.at('hooks', event));
  let isKept = false;
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (isOurEntry(entry)) {
      if (!isKept && wanted !== null && isSame(entry, wanted)) isKept = true;
      else file.remove(['hooks', event, at]);
    } else if (holdsOurs(entry)) {
      const inner = listOf(objectOf(entry)?.['hooks']);
      for (let inside = inner.length - 1; inside >= 0; inside -= 1)
        if (isOurHook(inner[inside])) file.remove(['hooks', event, at, 'hooks', inside]);
    }
  }
}

/** The file with exactly the wanted hooks of ours; a second time it changes nothing. `frame`: keys that the file needs besides. */
export function withHooks(text: string, wanted: readonly WantedHook[], frame: JsonObject): string | null {
  const file = JsonText.open(text.trim() === '' ? '{}\n' : text);
  if (file === null || !hasRoom(file, wanted)) return null;
  for (const [key, value] of Object.entries(frame)) if (file.at(key) === undefined) file.set([key], value);
  for (const event of ourEvents(file)) if (!wanted.some((one) => one.event === event)) takeOut(file, event, null);
  for (const { event, entry } of wanted) {
    takeOut(file, event, entry);
    if (!listOf(file.at('hooks', event)).some((one) => isSame(one, entry))) file.append(['hooks', event], entry);
  }
  return file.text;
}

/** Whether hooks stand, or can be put, where they belong: something else that a person keeps there is not written over. */
const hasRoom = (file: JsonText, wanted: readonly WantedHook[]): boolean =>
  (file.at('hooks') === undefined || objectOf(file.at('hooks')) !== null) &&
  wanted.every(({ event }) => {
    const entries = file.at('hooks', event);
    return entries === undefined || Array.isArray(entries);
  });

/** The file without any hook of ours. */
export function withoutHooks(text: string): string | null {
  const file = JsonText.open(text);
  if (file === null) return null;
  for (const event of ourEvents(file)) takeOut(file, event, null);
  return file.text;
}

/** Events for which the file holds a hook of ours. */
function ourEvents(file: JsonText): readonly string[] {
  return Object.entries(objectOf(file.at('hooks')) ?? {})
    .filter(([, entries]) => listOf(entries).some((entry) => isOurEntry(entry) || holdsOurs(entry)))
    .map(([event]) => event);
}

/** Events for which a text holds a hook of ours; empty for a text that cannot be read. */
export function guardedEvents(text: string): readonly string[] {
  const file = JsonText.open(text);
  return file === null ? [] : ourEvents(file);
}
