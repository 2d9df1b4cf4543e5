import { driftIn } from '../plan/drift.js';
import type { Analysis, Effect, Flow } from '../effects/effect.js';
import { pathResource, shownPath } from '../effects/paths.js';
import type { Finding } from '../policy/context.js';
import { unusual } from './baseline.js';
import { nameMark } from './content/named.js';
import { beyondRights } from './delegate.js';
import { coveringIds } from './effectKeys.js';
import type { Evidence, Found } from './evidence.js';
import { isAtLeast, joinLabels, ORDINARY } from './labels.js';
import { isSpareCopy, movedWorkIn } from './movedWork.js';
import { loopOf } from './loops.js';
import { labelsOfPath } from './pathLabels.js';
import { isRequested } from './requested.js';
import { runsHarmful, runsTampered, runsUntrusted, runsWhatIsSent } from './runs.js';
import { MAIN_AGENT, type FileState } from './state.js';
import { isBeyondWorkspace, isDestroying, isOutward, isSending } from './traits.js';

type Rule = (evidence: Evidence) => readonly Found[];

const each = (evidence: Evidence, say: (effect: Effect, index: number) => readonly [Finding, string] | null): Found[] =>
  evidence.analysis.effects.flatMap((effect, index) => {
    const said = say(effect, index);
    return said === null ? [] : [{ finding: said[0], effect: index, why: said[1] }];
  });

/** A package manager that asks its registry: the names it sends are in the command for all to see. */
const isRegistryRead = (effect: Effect, analysis: Analysis): boolean =>
  effect.op === 'install' ||
  (!isSending(effect) && analysis.effects.some((other) => other.op === 'install' && other.command === effect.command));

const secretOutward: Rule = (evidence) =>
  each(evidence, (effect, index) => {
    if (!isOutward(effect)) return null;
    const into = evidence.into[index]?.confidentiality ?? 'internal';
    if (isAtLeast(into, 'sensitive')) return ['secret-outward', `what is sent holds ${into} data`];
    if (isRegistryRead(effect, evidence.analysis)) return null;
    const { confidentiality } = evidence.state.context;
    if (isAtLeast(confidentiality, 'sensitive')) {
      return ['secret-outward', `this session has read ${confidentiality} data`];
    }
    const { committed } = evidence.state;
    const isPush = effect.resource.type === 'ref';
    return isPush && isAtLeast(committed.confidentiality, 'sensitive')
      ? ['secret-outward', `a commit of this session holds ${committed.confidentiality} data`]
      : null;
  });

const untrustedOutward: Rule = (evidence) => {
  if (!evidence.state.context.isUntrusted && !evidence.taken.isUntrusted) return [];
  if (!evidence.state.context.isUntrusted) return [];
  return each(evidence, (effect) =>
    isBeyondWorkspace(effect) && effect.op !== 'install'
      ? ['untrusted-outward', 'untrusted content is in this session, and this acts beyond the workspace']
      : null,
  );
};

const trifecta: Rule = (evidence) => {
  if (!evidence.state.context.isUntrusted) return [];
  return each(evidence, (effect, index) => {
    if (!isSending(effect)) return null;
    const into = evidence.into[index]?.confidentiality ?? 'internal';
    const isSecret = isAtLeast(into, 'sensitive') || isAtLeast(evidence.state.context.confidentiality, 'sensitive');
    return isSecret ? ['trifecta', 'untrusted input, secret data and an outward effect come together'] : null;
  });
};

/** Whether git would take the file up: in the workspace, not ignored, and not a place of secrets by its own name. */
function isFollowed(path: string, evidence: Evidence): boolean {
  const { facts } = evidence.sources;
  const { place } = pathResource(path, facts, 'leave-git');
  if (place !== 'workspace' || /\/\.git\//.test(path)) return false;
  return facts.gitState(path) !== 'ignored';
}

const secretToTracked: Rule = (evidence) => {
  const { facts, policyLabels } = evidence.sources;
  return each(evidence, (effect, index) => {
    if (!['write', 'persist', 'move'].includes(effect.op) || effect.resource.type !== 'path') return null;
    const into = evidence.into[index]?.confidentiality ?? 'internal';
    if (!isAtLeast(into, 'sensitive')) return null;
    const { path } = effect.resource;
    const declared = policyLabels(path)?.confidentiality ?? null;
    if (declared !== null && isAtLeast(declared, into)) return null;
    return isFollowed(path, evidence)
      ? ['secret-to-tracked', `${into} data would be written to ${shownPath(path, facts)}, which git would take up`]
      : null;
  });
};

/** Secret data under a name that does not tell. What is secret by its own name is judged by that. */
const readsCopy: Rule = (evidence) => {
  if (evidence.state.marked.length === 0) return [];
  return each(evidence, (effect, index) => {
    if (effect.op !== 'read' || effect.resource.type !== 'path') return null;
    if (effect.traits.includes('secret') || effect.traits.includes('personal')) return null;
    const own = evidence.own[index]?.confidentiality ?? 'internal';
    if (!isAtLeast(own, 'sensitive')) return null;
    const shown = shownPath(effect.resource.path, evidence.sources.facts);
    return ['reads-copy', `${shown} holds ${own} data of this session`];
  });
};

const refusedBefore: Rule = (evidence) => {
  const { refusals } = evidence.state;
  if (refusals.size === 0) return [];
  return each(evidence, (_effect, index) => {
    const key = evidence.keys[index];
    if (key === undefined) return null;
    for (const id of coveringIds(key)) {
      const refusal = refusals.get(id);
      // A new request of the person opens the question again; policy then asks as it would.
      if (refusal !== undefined && refusal.step > evidence.state.requestStep) {
        return ['refused-before', `the same effect was refused by a person at step ${refusal.step}`];
      }
    }
    return null;
  });
};

/** So many files without a commit, destroyed one by one, are a folder; so many all in all are a mass. */
export const MASS = { inFolder: 5, inAll: 15 } as const;

/** Where something is moved to; null when it is not known. */
const movedTo = (path: string, analysis: Analysis): string | null => {
  const flow = analysis.flows.find(
    ({ from, to, how }) => how === 'verbatim' && 'path' in from && from.path === path && 'path' in to,
  );
  return flow !== undefined && 'place' in flow.to ? flow.to.place : null;
};

const EMPTIES = /^(?::|true|)$/;

/** Whether a path holds nothing of what it held afterwards: deleted, moved out of the workspace, or emptied. */
function takesAway(effect: Effect, analysis: Analysis): boolean {
  if (isDestroying(effect)) return true;
  if (effect.traits.includes('dry-run') || effect.resource.type !== 'path') return false;
  if (effect.op === 'move') return !['workspace', null].includes(movedTo(effect.resource.path, analysis));
  const command = effect.command === null ? undefined : analysis.commands[effect.command];
  const isKept = effect.traits.includes('append') || effect.traits.includes('create');
  return effect.op === 'write' && !isKept && command !== undefined && EMPTIES.test(command.program);
}

/** Paths that an action destroys and that no commit holds, made by others than the session. */
export function destroyedWork(analysis: Analysis, fileOf: (path: string) => FileState | undefined): readonly string[] {
  return analysis.effects.flatMap((effect) => {
    if (!takesAway(effect, analysis) || effect.resource.type !== 'path') return [];
    if (effect.traits.includes('build-output') || effect.resource.place === 'temp') return [];
    if (!['untracked', 'modified', 'none', 'unknown', 'mixed'].includes(effect.resource.git)) return [];
    const { path } = effect.resource;
    return fileOf(path)?.isMadeHere === true ? [] : [path];
  });
}

const massChange: Rule = (evidence) => {
  const { state, analysis } = evidence;
  const paths = destroyedWork(analysis, (path) => state.files.get(path));
  if (paths.length === 0) return [];
  const folders = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, Math.max(1, path.lastIndexOf('/')));
    folders.set(folder, (folders.get(folder) ?? state.destroyed.get(folder) ?? 0) + 1);
  }
  const most = Math.max(...folders.values());
  const total = state.destroyedTotal + paths.length;
  if (most < MASS.inFolder && total < MASS.inAll) return [];
  const why =
    most >= MASS.inFolder
      ? `with this, ${most} files of one folder that no commit holds are gone`
      : `with this, ${total} files that no commit holds are gone`;
  return each(evidence, (effect) => (takesAway(effect, analysis) ? ['mass-change', why] : null));
};

const loop: Rule = ({ lacuna, fingerprint, state }) => {
  const why = loopOf(fingerprint, lacuna.kind, state.recent);
  return why === null ? [] : [{ finding: 'loop', effect: null, why }];
};

const overBudget: Rule = ({ lacuna, state, limits, nowMs }) => {
  const who = lacuna.origin.subagent ?? MAIN_AGENT;
  const used = state.usage.get(who) ?? { lacunas: 0, tokens: 0 };
  const rights = state.rights.get(who);
  const since = rights?.fromMs ?? state.requestAtMs;
  const reasons: string[] = [];
  const over = (what: string, have: number, limit: number | null | undefined): void => {
    if (limit !== null && limit !== undefined && have > limit) reasons.push(`${what}: ${Math.round(have)} of ${limit}`);
  };
  over('depth', lacuna.depth, limits.depth);
  over('Lacunas', used.lacunas + 1, rights === undefined ? limits.lacunas : rights.lacunas);
  over('seconds', (nowMs - since) / 1000, rights === undefined ? limits.seconds : rights.seconds);
  over('tokens', used.tokens, rights === undefined ? limits.tokens : rights.tokens);
  return reasons.length === 0 ? [] : [{ finding: 'over-budget', effect: null, why: reasons.join('; ') }];
};

const drift: Rule = ({ state, fit }) => {
  const why = fit === 'off-plan' ? driftIn(`o${state.recentFits}`) : null;
  return why === null ? [] : [{ finding: 'drift', effect: null, why }];
};

const madeHere: Rule = ({ analysis, state, sources }) => {
  const found: Found[] = [];
  analysis.effects.forEach((effect, index) => {
    if (effect.resource.type !== 'path' || effect.certainty !== 'exact') return;
    if (!isDestroying(effect) && !effect.traits.includes('overwrite')) return;
    const file = state.files.get(effect.resource.path);
    const isOwn =
      file?.isMadeHere === true ||
      (file !== undefined && isSpareCopy(effect.resource.path, file, state, sources.facts));
    if (
      !isOwn ||
      movedWorkIn(effect, state, sources.facts) !== null ||
      isAtLeast(labelsOfPath(effect.resource.path, state, sources).confidentiality, 'sensitive')
    )
      return;
    found.push({ finding: 'made-here', effect: index, why: 'made by this session' });
  });
  return found;
};

/** Work that no commit holds, brought somewhere by one step and taken away there by another. */
const movedWork: Rule = (evidence) =>
  evidence.state.work.length === 0
    ? []
    : each(evidence, (effect) => {
        if (effect.traits.includes('dry-run')) return null;
        const place = movedWorkIn(effect, evidence.state, evidence.sources.facts);
        if (place === null) return null;
        return [
          'moved-work',
          `this session moved work that no commit holds to ${shownPath(place, evidence.sources.facts)}`,
        ];
      });

/** `kill $(cat server.pid)`: the number comes from files that hold nothing but numbers of what the session's shell started. */
const ownJob: Rule = ({ analysis: { effects, flows }, state }) =>
  effects.flatMap(({ op, resource, traits }, index): Found[] => {
    if (op !== 'kill' || resource.type !== 'process' || traits.includes('mass')) return [];
    const sources = flows.filter(({ to }) => to.type === 'process' && to.process === resource.process);
    const isOwn = ({ from }: Flow): boolean => from.type === 'path' && state.files.get(from.path)?.provenance === 'job';
    return sources.length > 0 && sources.every(isOwn)
      ? [{ finding: 'made-here', effect: index, why: 'started by this session' }]
      : [];
  });

/** Secrets that git takes into its index or a commit. */
const secretToCommit: Rule = ({ git, analysis }) => {
  const { confidentiality } = joinLabels(git.staged ?? ORDINARY, git.committed ?? ORDINARY);
  if (!isAtLeast(confidentiality, 'sensitive')) return [];
  const command = analysis.commands.findIndex(({ program }) => program === 'git');
  const effect = analysis.effects.findIndex((candidate) => candidate.command === command);
  const why = `${confidentiality} data would go into git's index or a commit`;
  return [{ finding: 'secret-to-tracked', effect: effect < 0 ? null : effect, why }];
};

/** What an effect is aimed at, by the names that a text would give it. */
function targetsOf({ resource }: Effect): readonly string[] {
  switch (resource.type) {
    case 'url':
      return [resource.url, resource.host];
    case 'package':
      return [resource.name];
    case 'path':
    case 'agent-config':
      return [resource.path];
    case 'remote':
      return [resource.name];
    case 'ref':
      return resource.remote === null ? [] : [resource.remote];
    default:
      return [];
  }
}

/** Untrusted text named it and the person did not: what it leads to is not what the person asked for. */
const instructed: Rule = (evidence) => {
  const { state, request, sources } = evidence;
  if (state.named.size === 0) return [];
  const asked = [...state.requests, request].join('\n').toLowerCase();
  return each(evidence, (effect) => {
    const isGrave =
      isBeyondWorkspace(effect) ||
      effect.op === 'persist' ||
      effect.traits.includes('remote-code') ||
      isDestroying(effect);
    if (!isGrave) return null;
    const shown = (name: string): string => (name.startsWith('/') ? shownPath(name, sources.facts) : name);
    const name = targetsOf(effect).find(
      (target) =>
        target.length >= 4 &&
        !asked.includes(target.toLowerCase()) &&
        (state.named.has(nameMark(target)) || state.named.has(nameMark(shown(target)))),
    );
    return name === undefined
      ? null
      : ['instructed-by-untrusted', `${shown(name)} comes from untrusted content and not from the request`];
  });
};

const laterHarm: Rule = (evidence) =>
  each(evidence, (effect, index) => {
    if (effect.op !== 'write' && effect.op !== 'persist') return null;
    const why = evidence.harmLater(index);
    return why === null ? null : ['later-harm', `what it makes run later would be stopped now: ${why}`];
  });

const beyondDelegation: Rule = ({ lacuna, analysis, state, sources }) => {
  const { subagent } = lacuna.origin;
  const rights = subagent === null ? undefined : state.rights.get(subagent);
  const why = rights === undefined ? null : beyondRights(rights, lacuna, analysis, sources.facts);
  return why === null ? [] : [{ finding: 'beyond-delegation', effect: null, why }];
};

const departs: Rule = ({ baseline, behaviour, state }) =>
  unusual(baseline, behaviour, state.steps).map((why) => ({ finding: 'unusual', effect: null, why }));

const requested: Rule = (evidence) =>
  each(evidence, (effect, index) =>
    isRequested(effect, evidence.analysis, evidence.lacuna.kind, evidence.request, evidence.sources.facts, () =>
      evidence.isHarmlessLater(index),
    )
      ? ['requested', "the person's request names it"]
      : null,
  );

const RULES: readonly Rule[] = [
  secretOutward,
  untrustedOutward,
  trifecta,
  secretToTracked,
  readsCopy,
  refusedBefore,
  massChange,
  loop,
  overBudget,
  drift,
  madeHere,
  movedWork,
  ownJob,
  secretToCommit,
  instructed,
  laterHarm,
  runsUntrusted,
  runsWhatIsSent,
  runsHarmful,
  runsTampered,
  beyondDelegation,
  departs,
  requested,
];

/** All that the session has to say about an action. */
export const findingsOf = (evidence: Evidence): readonly Found[] => RULES.flatMap((rule) => rule(evidence));
