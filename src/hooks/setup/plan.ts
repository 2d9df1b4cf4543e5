import { AGENT_SET_UPS, type SetUpAgent, type SetUpPlace } from './agents.js';
import { guardedEvents, withHooks, withoutHooks } from './hookFile.js';
import { JsonText, objectOf } from './jsonText.js';
import { withoutServer, withServer } from './tomlText.js';

/** A file before and after; null where it is not there. */
export interface FileChange {
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What a person wants for an agent: hooks, with or without our MCP server; or neither of them. */
export type SetUpWish = 'hooks' | 'hooks-and-server' | 'nothing';

/** What would be changed, in files that differ only. */
export interface SetUpPlan {
  readonly changes: readonly FileChange[];
  /** Files that cannot be read as what they should be: they are left alone, and nothing at all should be done. */
  readonly unreadable: readonly string[];
}

/** Reads a file; null when it is not there. */
export type ReadText = (file: string) => string | null;

/** How our MCP server is started. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
}

const join = (folder: string, name: string): string =>
  name.startsWith('../') ? `${folder.replace(/\/[^/]*$/, '')}/${name.slice(3)}` : `${folder}/${name}`;

/** File of an agent's hooks. */
export const hookFileOf = (agent: SetUpAgent, place: SetUpPlace): string =>
  join(AGENT_SET_UPS[agent].folder(place), AGENT_SET_UPS[agent].hookFile);

/** Works out what has to be changed so that a wish holds. Pure; what holds already changes nothing. */
export function planSetUp(
  agent: SetUpAgent,
  wish: SetUpWish,
  place: SetUpPlace,
  server: ServerStart,
  read: ReadText,
): SetUpPlan {
  const setUp = AGENT_SET_UPS[agent];
  const hookFile = hookFileOf(agent, place);
  const serverFile = join(setUp.folder(place), setUp.serverFile);
  const texts = new Map([hookFile, serverFile].map((file) => [file, read(file)] as const));
  const before = new Map(texts);
  const unreadable = new Set<string>();
  const change = (file: string, to: (text: string) => string | null): void => {
    const text = texts.get(file) ?? null;
    if (text === null && wish === 'nothing') return;
    const after = to(text ?? '');
    if (after === null) unreadable.add(file);
    else texts.set(file, after);
  };
  change(hookFile, (text) =>
    wish === 'nothing' ? withoutHooks(text) : withHooks(text, setUp.hooks(place), setUp.frame),
  );
  if (wish !== 'hooks') change(serverFile, (text) => serverText(serverFile, text, wish === 'nothing' ? null : server));
  const changes = [...texts]
    .map(([file, after]): FileChange => ({ file, before: before.get(file) ?? null, after: kept(after, setUp.frame) }))
    .filter((one) => one.before !== one.after && !(one.before === null && one.after === null));
  return { changes: unreadable.size > 0 ? [] : changes, unreadable: [...unreadable] };

  /** A file in which nothing is left but what we put there ourselves goes. */
  function kept(text: string | null, frame: object): string | null {
    if (text === null || wish !== 'nothing') return text;
    if (text.trim() === '') return null;
    const left = objectOf(JsonText.open(text)?.at());
    return left !== null && Object.keys(left).every((key) => Object.hasOwn(frame, key)) && !/\/\/|\/\*/.test(text)
      ? null
      : text;
  }
}

/** The text of a file of MCP servers with ours, or, for null, without it. Null when it cannot be read. */
function serverText(file: string, text: string, server: ServerStart | null): string | null {
  if (file.endsWith('.toml'))
    return server === null ? withoutServer(text) : withServer(text, server.command, server.args);
  const json = JsonText.open(text.trim() === '' ? '{}\n' : text);
  if (json === null) return null;
  const servers = json.at('mcpServers');
  if (servers !== undefined && objectOf(servers) === null) return null;
  const known = json.at('mcpServers', 'lacuna');
  if (server === null) {
    if (known !== undefined) json.remove(['mcpServers', 'lacuna']);
  } else {
    const wanted = { command: server.command, args: [...server.args] };
    if (JSON.stringify(known) !== JSON.stringify(wanted)) json.set(['mcpServers', 'lacuna'], wanted);
  }
  return json.text;
}

/** How an agent stands. `stale`: our hooks are there, in an older form or not all of them. */
export type SetUpState = 'guarded' | 'stale' | 'not-guarded' | 'unreadable';

/** How an agent stands, as its file says. Whether its host runs hooks at all is another question. */
export function setUpState(agent: SetUpAgent, place: SetUpPlace, server: ServerStart, read: ReadText): SetUpState {
  const text = read(hookFileOf(agent, place));
  if (text === null) return 'not-guarded';
  if (JsonText.open(text) === null) return 'unreadable';
  if (guardedEvents(text).length === 0) return 'not-guarded';
  return planSetUp(agent, 'hooks', place, server, read).changes.length === 0 ? 'guarded' : 'stale';
}
