import type { Analysis, Effect, Resource } from '../../effects/effect.js';
import { freshTerminal } from '../../effects/effect.js';
import type { Facts } from '../../effects/facts.js';
import { parseHostAndPort, parseUrl } from '../../effects/net/url.js';
import { joinPath, placeOf } from '../../effects/paths.js';
import type { PolicyContext } from '../context.js';
import type { EffectFact, TestSpec } from '../schema.js';
import { testPlace } from './testFacts.js';

/** Effects as a test gives them, instead of those that analysis would find. */
export const givenAnalysis = (effects: readonly EffectFact[], facts: Facts): Analysis => ({
  effects: effects.map((fact) => effectOf(fact, facts)),
  commands: [],
  flows: [],
  terminal: freshTerminal(facts.roots[0] ?? null),
});

function effectOf(fact: EffectFact, facts: Facts): Effect {
  return {
    op: fact.op,
    resource: resourceOf(fact, facts),
    certainty: fact.certainty ?? 'exact',
    reversible: fact.reversible ?? (fact.op === 'read' || fact.op === 'list' || fact.op === 'execute' ? 'yes' : 'no'),
    traits: fact.traits ?? [],
    command: null,
    note: '',
  };
}

function resourceOf(fact: EffectFact, facts: Facts): Resource {
  const root = facts.roots[0] ?? '/';
  const absolute = (path: string): string => joinPath(root, path.replace(/^~(?=\/|$)/, facts.home), facts.platform);
  if (fact.path !== undefined) {
    const path = fact.certainty === 'dynamic' ? fact.path : absolute(fact.path);
    const place = fact.place ?? (fact.certainty === 'dynamic' ? 'unknown' : placeOf(path, facts));
    return { type: 'path', path, place, git: fact.git ?? (place === 'workspace' ? 'tracked' : 'none') };
  }
  if (fact.agentConfig !== undefined) return { type: 'agent-config', path: absolute(fact.agentConfig) };
  if (fact.url !== undefined) {
    const url = parseUrl(fact.url);
    const where = url ?? parseHostAndPort(fact.url);
    return {
      type: 'url',
      url: fact.url,
      host: where?.host.name ?? '',
      port: where?.port ?? null,
      method: fact.method ?? null,
    };
  }
  if (fact.process !== undefined) return { type: 'process', process: fact.process };
  if (fact.package !== undefined) {
    const [ecosystem = '', name = ''] = fact.package.split(/:(.*)/s);
    return { type: 'package', ecosystem, name, version: null };
  }
  if (fact.table !== undefined) {
    const dot = fact.table.lastIndexOf('.');
    return { type: 'table', database: fact.table.slice(0, Math.max(0, dot)), table: fact.table.slice(dot + 1) };
  }
  if (fact.ref !== undefined) return { type: 'ref', remote: fact.remote ?? null, ref: fact.ref };
  if (fact.environment !== undefined) return { type: 'environment', name: fact.environment };
  if (fact.service !== undefined) {
    const [service = '', name = ''] = fact.service.split(/:(.*)/s);
    return { type: 'remote', service, name };
  }
  if (fact.tool !== undefined) {
    const dot = fact.tool.indexOf('.');
    return { type: 'tool', server: dot < 0 ? null : fact.tool.slice(0, dot), tool: fact.tool.slice(dot + 1) };
  }
  return { type: 'unknown', what: fact.unknown ?? '' };
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Circumstances of a test: an attended, trusted workspace with a sandbox and a clean tree, unless it says otherwise. */
export function contextOf(test: TestSpec): PolicyContext {
  const { context = {} } = test;
  const platform = test.platform ?? 'linux';
  const { home, root } = testPlace(platform);
  const time = /^(?:(\w{3}) )?(\d{1,2}):(\d{2})$/i.exec(context.time ?? '');
  return {
    anchors: { roots: [root], home, isCaseSensitive: platform === 'linux' },
    platform,
    mode: context.mode ?? 'balanced',
    risk: context.risk ?? 0,
    plan: context.plan ?? 'none',
    agent: context.agent ?? 'lacuna',
    subagent: context.subagent ?? null,
    depth: context.depth ?? 0,
    branch: context.branch ?? 'main',
    isLinkedWorktree: context.worktree ?? false,
    isGitClean:
      context.git === undefined ? (test.untracked ?? test.modified ?? []).length === 0 : context.git === 'clean',
    user: context.user ?? 'dev',
    time:
      time === null
        ? null
        : {
            weekday: Math.max(0, WEEKDAYS.indexOf((time[1] ?? 'mon').toLowerCase())),
            minutes: Number(time[2]) * 60 + Number(time[3]),
          },
    isHeadless: context.headless ?? false,
    isTrusted: context.trusted ?? true,
    hasSandbox: context.sandbox ?? true,
    labels: test.labels ?? [],
    effectLabels: [],
    findings: (context.findings ?? []).map((finding) => ({ finding, effect: null, why: 'the test says so' })),
  };
}
