import type { Facts } from '../effects/facts.js';
import { parseHost } from '../effects/net/host.js';
import { SYSTEM_FOLDERS } from '../effects/paths.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { Confinement, Decision } from '../policy/decision.js';
import type { Outcome, SandboxCause } from './outcome.js';

/** One thing that a person may open in the walls around a command: a host, or a path with all below it. Never "no walls". */
export type Wider = { readonly type: 'host'; readonly host: string } | { readonly type: 'path'; readonly path: string };

const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

/** Whether a folder is so wide that opening it would be no narrow leave: the top, a home, a folder of the system. */
const isTooWide = (folder: string, { platform, home }: Facts): boolean =>
  folder === '/' || folder === home || home.startsWith(`${folder}/`) || SYSTEM_FOLDERS[platform].includes(folder);

/** Where a wall can be opened for a path: at itself, or, since no door fits what is not there, at the folder that it would be in. */
function doorFor(path: string, facts: Facts): string | null {
  if (!path.startsWith('/')) return null;
  const isInside = facts.roots.some((root) => path.startsWith(`${root}/`));
  const door = isInside || facts.entry(path) !== 'absent' ? path : folderOf(path);
  return isTooWide(door, facts) || facts.entry(folderOf(door)) === 'absent' ? null : door;
}

/** The narrowest leave with which a command would get past the wall that it ran into; null when there is none to offer. */
export function widerFor(cause: SandboxCause | null, facts: Facts): Wider | null {
  if (cause?.subject == null) return null;
  if (cause.type === 'network') {
    const host = parseHost(cause.subject);
    return host === null ? null : { type: 'host', host: host.name };
  }
  const path = cause.type === 'write' ? doorFor(cause.subject, facts) : null;
  return path === null ? null : { type: 'path', path };
}

/** What a leave comes to, put as proposals of its own, so that policy can be asked about the host or path itself. */
export const probesOf = (wider: Wider, cause: SandboxCause): readonly Proposal[] =>
  wider.type === 'host'
    ? [{ kind: 'HttpRequest', params: { url: `https://${wider.host}/`, method: 'GET' } }]
    : [...new Set([cause.subject ?? wider.path, wider.path])].map((path) => ({
        kind: 'WriteFile' as const,
        params: { path, content: '' },
      }));

/** The question to a person, in two sentences. */
export const questionOf = (wider: Wider, cause: SandboxCause): string =>
  wider.type === 'host'
    ? `It failed in isolation: the sandbox does not let it reach ${wider.host}. Shall it reach this host, and run again?`
    : `It failed in isolation: the sandbox does not let it write ${cause.subject ?? wider.path}. Shall it write ${wider.path}${wider.path === cause.subject ? '' : ' and all in it'}, and run again?`;

/** What is opened, in a few words. */
export const describeWider = (wider: Wider): string =>
  wider.type === 'host' ? `reach ${wider.host}` : `write ${wider.path}`;

/** The same isolation with these opened. */
export const widen = (confinement: Confinement, opened: readonly Wider[]): Confinement => ({
  ...confinement,
  hosts: [...new Set([...confinement.hosts, ...opened.flatMap((one) => (one.type === 'host' ? [one.host] : []))])],
  writable: [
    ...new Set([...confinement.writable, ...opened.flatMap((one) => (one.type === 'path' ? [one.path] : []))]),
  ],
});

const isSame = (a: Wider, b: Wider): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A Lacuna that a person let be tried again: what they opened, and the isolation that it failed in and stays in. */
interface Retry {
  readonly opened: readonly Wider[];
  readonly confinement: Confinement;
}

/** What people opened: for the whole session, or for one Lacuna that is tried again. */
export class Opened {
  readonly #forSession: Wider[] = [];
  readonly #retries = new Map<string, Retry>();

  forSession(wider: Wider): void {
    if (!this.#forSession.some((one) => isSame(one, wider))) this.#forSession.push(wider);
  }

  forLacuna(lacunaId: string, retry: Retry): void {
    this.#retries.set(lacunaId, retry);
  }

  /** What was opened for exactly this Lacuna; null when it is not one that a person let be tried again. */
  of(lacunaId: string): readonly Wider[] | null {
    return this.#retries.get(lacunaId)?.opened ?? null;
  }

  /** A decision with what people opened, where it isolates. What is tried again is never less isolated than it was. */
  apply(decision: Decision, lacunaId: string): Decision {
    const retry = this.#retries.get(lacunaId);
    const confinement = decision.confinement ?? retry?.confinement ?? null;
    const opened = [...this.#forSession, ...(retry?.opened ?? [])];
    if (confinement === null || opened.length === 0) return decision;
    const verdict = retry !== undefined && decision.verdict === 'allow' ? 'sandbox' : decision.verdict;
    return { ...decision, verdict, confinement: widen(confinement, opened) };
  }

  settle(lacunaId: string): void {
    this.#retries.delete(lacunaId);
  }

  forget(): void {
    this.#forSession.splice(0);
  }
}

/** Which wall of the sandbox made a filling fail; null when none did. */
export const wallOf = (outcome: Outcome): SandboxCause | null =>
  outcome.type === 'failed' ? outcome.causedBySandbox : null;

/** An outcome whose message has a sentence more. */
export const withNote = (outcome: Outcome, note: string): Outcome =>
  outcome.type === 'failed' ? { ...outcome, message: `${outcome.message} ${note}` } : outcome;
