import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, remote, rows, serviceUrl } from '../helpers.js';
import { parseOptions, type OptionSpec, type ParsedOptions } from '../options.js';
import { DEEDS, deedOfVerb, type Deed } from './lexicon.js';
import { fitsWords, wordPattern, type OptionTable, type WordPattern } from './wordPattern.js';

/**
 * The command line of one service as data: what its sub-commands do. Patterns part at commas; see {@link WordPattern}. What no
 * pattern names is told by its verb; what has no known verb is `unknown`. To add a service, add one of these.
 */
export interface ServiceSpec extends Partial<Readonly<Record<Deed, string>>> {
  /** As for {@link rows}: a space parts programs, `|` parts names of one. */
  readonly names: string;
  /** Name of the service in resources; the program's name when left out. */
  readonly service?: string;
  /** Where it answers; left out for a service on a server that its configuration names. */
  readonly host?: string;
  /** Options with a value, so that the value is not taken for a sub-command. */
  readonly values?: string;
  /** Options without a value that would otherwise be taken to have none anyway: only for clusters and abbreviations. */
  readonly flags?: string;
  readonly style?: OptionSpec['style'];
  /** Words that look like verbs and are names of groups here. */
  readonly nouns?: string;
  /** Options with which nothing is done; `--dry-run` and kin are known. */
  readonly trial?: string;
  /** Whether colons part group and verb: `apps:destroy`. */
  readonly colons?: boolean;
  /** What a bare call without words does; `read` when left out. */
  readonly bare?: Deed;
  /** What words of which no verb is known do; `unknown` when left out. */
  readonly otherwise?: Deed;
  /** Sub-commands whose files are of this machine, or which run something; called besides the deed. */
  readonly also?: (run: Run, operands: readonly Word[], parsed: ParsedOptions) => void;
}

interface Rule {
  readonly deed: Deed;
  readonly pattern: WordPattern;
}

const TRIALS =
  '--dry-run --dryrun --dry_run --check --preview --what-if --whatif --plan --noop --no-op -dry-run --simulate';

function rulesOf(spec: ServiceSpec): readonly Rule[] {
  return DEEDS.flatMap((deed) =>
    (spec[deed] ?? '')
      .split(',')
      .filter((text) => text.trim() !== '')
      .map((text) => ({ deed, pattern: wordPattern(text) })),
  );
}

/** Options and their values by the name they were written with. */
export function optionTable(parsed: ParsedOptions): OptionTable {
  const table = new Map<string, string | null>();
  for (const { name, value, word } of parsed.options) {
    table.set(name, value?.text ?? null);
    table.set(word.text.replace(/=.*$/s, ''), value?.text ?? null);
  }
  return table;
}

/** What words do: the pattern that says most, on a tie the stricter deed; else the first verb among the first words. */
export function deedOf(
  spec: ServiceSpec,
  rules: readonly Rule[],
  operands: readonly string[],
  options: OptionTable,
): Deed | null {
  let best: Rule | null = null;
  for (const rule of rules) {
    if (fitsWords(rule.pattern, operands, options) && (best === null || rule.pattern.weight > best.pattern.weight))
      best = rule;
  }
  if (best !== null) return best.deed;
  if (operands.length === 0) return spec.bare ?? 'read';
  const nouns = new Set((spec.nouns ?? '').split(' '));
  for (const [index, word] of operands.slice(0, 5).entries()) {
    if (nouns.has(word) && index === 0 && operands.length > 1) continue;
    const deed = deedOfVerb(word);
    if (deed !== null && !nouns.has(word)) return deed;
  }
  return spec.otherwise ?? null;
}

/** Says a deed: the request to the service, and what it does to what the service holds. */
export function sayDeed(
  run: Run,
  deed: Deed,
  service: string,
  host: string | null,
  name: Word | null,
  traits: readonly Trait[] = [],
): void {
  const reach = (method: string, more: readonly Trait[]): void => {
    if (host !== null)
      run.network(serviceUrl(host), {
        method,
        traits: ['own-service', ...more],
        reversible: method === 'GET' ? 'yes' : 'no',
      });
  };
  switch (deed) {
    case 'quiet':
    case 'local':
      return;
    case 'read':
      reach('GET', ['download']);
      remote(run, 'read', service, name, { traits });
      return;
    case 'secret':
      reach('GET', ['download']);
      remote(run, 'read', service, name, { traits: ['secret', ...traits] });
      return;
    case 'login':
      reach('GET', []);
      run.emit(
        'write',
        { type: 'environment', name: `${service} credentials` },
        { traits: ['secret', 'grants-access'], reversible: 'checkpoint' },
      );
      return;
    case 'run':
      reach('POST', []);
      remote(run, 'execute', service, name, { traits: ['unreviewed', ...traits] });
      return;
    case 'change':
      reach('POST', []);
      remote(run, 'write', service, name, { traits });
      return;
    case 'publish':
      reach('POST', ['publish']);
      remote(run, 'write', service, name, { traits: ['publish', 'outward', ...traits] });
      return;
    case 'grant':
      reach('POST', []);
      remote(run, 'write', service, name, { traits: ['grants-access', ...traits] });
      return;
    case 'delete':
      reach('DELETE', []);
      remote(run, 'delete', service, name, { traits });
  }
}

const MASS = /^(--all|--recursive|-r|--all-.*|-A|--force-all|--everything)$/;

/** The analyser of a service's command line. */
export function analyseService(spec: ServiceSpec): (run: Run) => void {
  let rules: readonly Rule[] | null = null;
  const options: OptionSpec = {
    values: spec.values ?? '',
    flags: spec.flags ?? '',
    ...(spec.style ? { style: spec.style } : {}),
  };
  const trials = new Set(`${TRIALS} ${spec.trial ?? ''}`.split(' '));
  return (run) => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    rules ??= rulesOf(spec);
    const parsed = parseOptions(options, words);
    const { operands } = parsed;
    const table = optionTable(parsed);
    const service = spec.service ?? run.invocation.program;
    const verbs = operands.flatMap(({ text }) => (spec.colons ? text.split(':') : [text]));
    const deed = deedOf(spec, rules, verbs, table);
    const name = {
      text: operands.map(({ text }) => text).join(' '),
      raw: '',
      certainty: operands.some(({ certainty }) => certainty === 'dynamic') ? 'dynamic' : 'exact',
      quoted: true,
    } as const;
    const isTrial =
      [...table.keys()].some((option) => trials.has(option)) && !/^(false|none)$/.test(table.get('--dry-run') ?? '');
    const isMass = [...table.keys()].some((option) => MASS.test(option));
    if (deed === null) run.unknown(`sub-command ${name.text} of ${run.invocation.program}`);
    else if (isTrial && deed !== 'secret')
      sayDeed(run, deed === 'quiet' || deed === 'local' ? deed : 'read', service, spec.host ?? null, name);
    else sayDeed(run, deed, service, spec.host ?? null, name, isMass && deed === 'delete' ? ['mass', 'recursive'] : []);
    if (!isTrial) spec.also?.(run, operands, parsed);
  };
}

/** Rows for a service. */
export const serviceRows = (spec: ServiceSpec): readonly ProgramEntry[] => rows(spec.names, analyseService(spec));
