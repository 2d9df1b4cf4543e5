import * as vscode from 'vscode';
import { DEFAULT_LIMITS, type AgentLimits } from '../core/agent/limits.js';
import type { NamedDatabase } from '../executors/database.js';
import { MODES, type Mode } from '../core/policy/verdict.js';
import type { SessionLimits } from '../core/session/limits.js';

/**
 * The settings, read anew at each call so that a change holds at once. A value of the wrong shape counts as the default: the
 * editor underlines it in its own settings file. Those that could loosen the guard have the scope `machine` in package.json,
 * so that no workspace can set them.
 */
export const settings = {
  /** The mildest mode; the engine may be stricter. */
  mode: (): Mode => oneOf(MODES, get('mode'), 'balanced'),
  policy: {
    /** Absolute path of the person's own policy file; null when there is none. */
    user: (): string | null => nonEmpty(get('policy.user')),
    /** Absolute path of the organisation's policy file or of a folder of them; null when there is none. */
    organisation: (): string | null => nonEmpty(get('policy.organisation')),
    /** Public key that the organisation's files must be signed with; null when they need not be signed. */
    organisationKey: (): string | null => nonEmpty(get('policy.organisationKey')),
  },
  model: {
    /** Address of an OpenAI-compatible endpoint; null when none is set. */
    baseUrl: (): string | null => nonEmpty(get('model.baseUrl'))?.replace(/\/+$/, '') ?? null,
    /** Names of the models that the endpoint offers. */
    names: (): readonly string[] => strings(get('model.names')),
    maxInputTokens: (): number => positive(get('model.maxInputTokens'), 128_000),
    /** How long to wait for the first piece of an answer. */
    timeoutMs: (): number => positive(get('model.timeoutSeconds'), 120) * 1000,
    /** Whether the demonstration model is offered in the chat. */
    isDemoOffered: (): boolean => get('model.demo') !== false,
  },
  limits: (): AgentLimits => ({
    ...DEFAULT_LIMITS,
    depth: whole(get('limits.depth'), DEFAULT_LIMITS.depth),
    lacunas: positive(get('limits.lacunas'), DEFAULT_LIMITS.lacunas),
    durationMs: positive(get('limits.minutes'), DEFAULT_LIMITS.durationMs / 60_000) * 60_000,
    tokens: typeof get('limits.tokens') === 'number' ? positive(get('limits.tokens'), 0) || null : null,
  }),
  sandbox: {
    /** Container image for policies that name none; null when containers are not used. */
    image: (): string | null => nonEmpty(get('sandbox.image')),
  },
  /** Whether what departs from the workspace's usual behaviour is asked about. */
  isBaselineOn: (): boolean => get('baseline') !== false,
  http: {
    /** Hosts of the person's own network, which may have private addresses. */
    internalHosts: (): readonly string[] => strings(get('http.internalHosts')),
  },
  /** PostgreSQL databases by name; one without a name or address is left out. */
  databases: (): readonly NamedDatabase[] => records(get('databases')).flatMap(databaseOf),
  /** What the person has set for each request; null where they have not: other agents keep their own limits. */
  ownLimits: (): SessionLimits => ({
    depth: whole(get('limits.depth'), DEFAULT_LIMITS.depth),
    lacunas: isSet('limits.lacunas') ? positive(get('limits.lacunas'), DEFAULT_LIMITS.lacunas) : null,
    seconds: isSet('limits.minutes') ? positive(get('limits.minutes'), 10) * 60 : null,
    tokens: isSet('limits.tokens') ? positive(get('limits.tokens'), 0) || null : null,
  }),
  /** Whether agents that take tools from MCP servers only are offered ours. */
  isMcpServerOffered: (): boolean => get('mcpServer') === true,
  reviewer: {
    /** `starter`, `linear`, `endpoint`, `off`, or the absolute path of a GGUF file. */
    model: (): string => nonEmpty(get('reviewer.model')) ?? 'starter',
    /** SHA-256 of that file, where it was fetched by Lacuna; null otherwise. */
    sha256: (): string | null => nonEmpty(get('reviewer.sha256')),
    /** A model server on this machine; null where none is set. */
    endpoint: (): { readonly baseUrl: string; readonly model: string } | null => {
      const baseUrl = nonEmpty(get('reviewer.endpoint.baseUrl'));
      const model = nonEmpty(get('reviewer.endpoint.model'));
      return baseUrl === null || model === null ? null : { baseUrl, model };
    },
    /** Whether people's answers are kept, with what the reviewer saw, to measure and improve it. */
    keepsAnswers: (): boolean => get('reviewer.keepAnswers') === true,
  },
  approvals: {
    /** How long a question waits for an answer before it counts as unanswered; null: as long as the window is open. */
    timeoutMs: (): number | null => positive(get('approvals.timeoutMinutes'), 0) * 60_000 || null,
  },
} as const;

/** Calls back when a setting below `lacuna.<section>` has changed. */
export const onSettingChange = (section: string, listener: () => void): vscode.Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`lacuna.${section}`)) listener();
  });

const get = (name: string): unknown => vscode.workspace.getConfiguration('lacuna').get(name);

/** Whether the person has set it; settings of the scope `machine` have no other place. */
const isSet = (name: string): boolean => {
  const inspected = vscode.workspace.getConfiguration('lacuna').inspect(name);
  return inspected?.globalValue !== undefined && inspected.globalValue !== null;
};

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.find((one) => one === value) ?? otherwise;

const nonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];

const records = (value: unknown): readonly ReadonlyMap<string, unknown>[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown) => (typeof one === 'object' && one !== null ? [new Map(Object.entries(one))] : []))
    : [];

function databaseOf(entry: ReadonlyMap<string, unknown>): readonly NamedDatabase[] {
  const [name, url] = [nonEmpty(entry.get('name')), nonEmpty(entry.get('url'))];
  return name === null || url === null ? [] : [{ name, url, passwordKey: nonEmpty(entry.get('passwordSecret')) }];
}

const positive = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise;

const whole = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;
