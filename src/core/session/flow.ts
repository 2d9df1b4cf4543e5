import type { Analysis, Effect, Flow, Resource } from '../effects/effect.js';
import { holdsPassage, holdsSecret } from './content/marks.js';
import { joinLabels, isMarked, ORDINARY, type Labels } from './labels.js';
import { labelsBelow, labelsOfPath, type LabelSources } from './pathLabels.js';
import type { SessionState } from './state.js';
import { isOutward } from './traits.js';

/** Where labels go inside one action. */
export interface Tracked {
  /** Labels of the data that goes into each effect's resource, by index of the effect. */
  readonly into: readonly Labels[];
  /** Labels that each effect's resource has by itself, by index of the effect. */
  readonly own: readonly Labels[];
  /** Labels of what comes back to the agent. */
  readonly output: Labels;
  /** Variables of the terminal whose values carry more than ordinary labels afterwards. */
  readonly variables: readonly { readonly name: string; readonly labels: Labels }[];
  /** What carries more than ordinary labels among the things read, in words. */
  readonly sources: readonly string[];
}

const SECRET: Labels = { confidentiality: 'secret', isUntrusted: false };
const SENSITIVE: Labels = { confidentiality: 'sensitive', isUntrusted: false };
const UNTRUSTED: Labels = { confidentiality: 'internal', isUntrusted: true };

/** Labels of a text by what it holds of secrets and documents that the session has read. */
export function labelsOfText(text: string, state: SessionState): Labels {
  if (holdsSecret(text, state.secrets)) return SECRET;
  return holdsPassage(text, state.passages) ? SENSITIVE : ORDINARY;
}

/** The part of a glob before its first special character, cut back to a whole folder. */
const fixedFolder = (glob: string): string => {
  const fixed = glob.slice(0, glob.search(/[*?[{$]|$/));
  return fixed === glob ? glob : fixed.slice(0, Math.max(1, fixed.lastIndexOf('/')));
};

function labelsOfResource(resource: Resource, effect: Effect | null, state: SessionState, from: LabelSources): Labels {
  if (resource.type === 'environment') return state.variables.get(resource.name) ?? ORDINARY;
  if (resource.type === 'url') {
    const comesFromOutside = effect === null || !effect.traits.includes('loopback');
    return comesFromOutside ? UNTRUSTED : ORDINARY;
  }
  if (resource.type === 'tool' || resource.type === 'remote' || resource.type === 'table') return UNTRUSTED;
  if (resource.type !== 'path' && resource.type !== 'agent-config') return ORDINARY;
  const isWide = effect !== null && (effect.certainty === 'pattern' || effect.traits.includes('recursive'));
  const own = labelsOfPath(resource.path, state, from);
  return isWide ? joinLabels(own, labelsBelow(fixedFolder(resource.path), state, from)) : own;
}

function labelsByTraits(effect: Effect): Labels {
  if (effect.traits.includes('secret')) return SECRET;
  return effect.traits.includes('personal') ? SENSITIVE : ORDINARY;
}

/** Whether data comes in by this effect: a read, or an answer from elsewhere. */
const takesIn = (effect: Effect): boolean => effect.op === 'read' || effect.traits.includes('download');

/** Whether data goes out by this effect, into a file or off the machine. */
const putsOut = (effect: Effect): boolean =>
  ['write', 'move', 'persist'].includes(effect.op) || isOutward(effect) || effect.op === 'history';

const sameResource = (a: Resource | { readonly type: string }, b: Resource): boolean => {
  if (a.type !== b.type) return false;
  if ('path' in a && 'path' in b) return a.path === b.path;
  if ('url' in a && 'url' in b) return a.url === b.url || a.host === b.host;
  return JSON.stringify(a) === JSON.stringify(b);
};

/**
 * Follows labels through one action: along the flows that the analysis names, and where it names none for something written or
 * sent, from everything that the same command, its pipeline before it, and the commands it carries have read. Where that is too
 * much it is on the safe side; where a flow is known it is exact. Linear in effects and flows for each other.
 */
export function track(analysis: Analysis, state: SessionState, from: LabelSources): Tracked {
  const own = analysis.effects.map((effect) =>
    joinLabels(labelsByTraits(effect), labelsOfResource(effect.resource, effect, state, from)),
  );
  const taken = takenByCommand(analysis, own, state);
  const labelsOfFlow = (flow: Flow): Labels => {
    if (flow.how === 'digest') return ORDINARY;
    if (flow.from.type === 'literal') return labelsOfText(flow.from.text, state);
    if (flow.from.type === 'stdin') return ORDINARY;
    const source = flow.from;
    const index = analysis.effects.findIndex((effect) => takesIn(effect) && sameResource(source, effect.resource));
    return index >= 0 ? (own[index] ?? ORDINARY) : labelsOfResource(source, null, state, from);
  };
  const into = analysis.effects.map((effect): Labels => {
    if (!putsOut(effect)) return ORDINARY;
    const flows = analysis.flows.filter((flow) => flow.to.type !== 'output' && sameResource(flow.to, effect.resource));
    const named = flows.map(labelsOfFlow).reduce(joinLabels, ORDINARY);
    const isAllNamed = flows.length > 0 && flows.every((flow) => flow.from.type !== 'stdin') && !isOutward(effect);
    return withoutEcho(effect, isAllNamed ? named : joinLabels(named, taken(effect.command)));
  });
  const variables = [...analysis.terminal.origins].flatMap(([name, inflows]) => {
    const labels = inflows
      .map((inflow) => labelsOfFlow({ ...inflow, to: { type: 'output' } }))
      .reduce(joinLabels, ORDINARY);
    return isMarked(labels) ? [{ name, labels }] : [];
  });
  return { own, into, variables, output: outputOf(analysis, own, labelsOfFlow), sources: sourcesOf(analysis, own) };
}

/** What is sent to a host does not become untrusted by the answer that the same command gets. */
const withoutEcho = (effect: Effect, labels: Labels): Labels =>
  effect.op === 'network' && labels.isUntrusted ? { ...labels, isUntrusted: false } : labels;

/** Labels of all that a command has taken in: its own reads, its pipeline before it, what it carries, its literals. */
function takenByCommand(analysis: Analysis, own: readonly Labels[], state: SessionState): (c: number | null) => Labels {
  const alone = (index: number | null): Labels => {
    let labels = ORDINARY;
    analysis.effects.forEach((effect, at) => {
      if (effect.command === index && takesIn(effect)) labels = joinLabels(labels, own[at] ?? ORDINARY);
    });
    const command = index === null ? undefined : analysis.commands[index];
    for (const word of command?.argv ?? []) {
      for (const [, name] of word.raw.matchAll(/\$\{?(?:env:)?(\w+)/gi)) {
        labels = joinLabels(labels, state.variables.get(name ?? '') ?? ORDINARY);
      }
    }
    return labels;
  };
  const memo = new Map<number | null, Labels>();
  const whole = (index: number | null): Labels => {
    const known = memo.get(index);
    if (known !== undefined) return known;
    memo.set(index, ORDINARY); // a cycle of carriers cannot be; if it were, it would end here
    let labels = alone(index);
    const command = index === null ? undefined : analysis.commands[index];
    analysis.commands.forEach((other, at) => {
      const isBefore = command !== undefined && other.pipeline === command.pipeline && other.stage < command.stage;
      if (at !== index && (isBefore || (index !== null && other.carrier === index))) {
        labels = joinLabels(labels, whole(at));
      }
    });
    memo.set(index, labels);
    return labels;
  };
  return whole;
}

/** What comes back: everything read, but for what is known to go into a file or the network only, and digests. */
function outputOf(analysis: Analysis, own: readonly Labels[], labelsOfFlow: (flow: Flow) => Labels): Labels {
  let labels = ORDINARY;
  analysis.effects.forEach((effect, at) => {
    if (!takesIn(effect)) return;
    const flows = analysis.flows.filter(
      (flow) => flow.from.type !== 'literal' && sameResource(flow.from, effect.resource),
    );
    const isKept = flows.length > 0 && flows.every((flow) => flow.to.type !== 'output' || flow.how === 'digest');
    if (!isKept) labels = joinLabels(labels, own[at] ?? ORDINARY);
  });
  for (const flow of analysis.flows) if (flow.to.type === 'output') labels = joinLabels(labels, labelsOfFlow(flow));
  return labels;
}

function sourcesOf(analysis: Analysis, own: readonly Labels[]): readonly string[] {
  const sources: string[] = [];
  analysis.effects.forEach((effect, at) => {
    const labels = own[at] ?? ORDINARY;
    if (!takesIn(effect) || !isMarked(labels)) return;
    const { resource } = effect;
    const name = 'path' in resource ? resource.path : resource.type === 'url' ? resource.host : resource.type;
    const what = [
      labels.confidentiality === 'internal' ? '' : labels.confidentiality,
      labels.isUntrusted ? 'untrusted' : '',
    ]
      .filter((word) => word !== '')
      .join(', ');
    if (name !== '') sources.push(`${name} (${what})`);
  });
  return [...new Set(sources)].slice(0, 8);
}
