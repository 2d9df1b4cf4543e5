import type { Analysis, SimpleCommand } from '../effects/effect.js';
import { canonicalPath, shownPath } from '../effects/paths.js';
import type { Evidence, Found } from './evidence.js';
import { labelsOfPath } from './pathLabels.js';
import type { FileState } from './state.js';

/** Programs whose first plain argument is a file that they run. */
const INTERPRETERS =
  /^(?:(?:ba|z|da|k|c|tc|fi)?sh|source|\.|python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua|Rscript|julia|pwsh|powershell|osascript|java|dotnet|make|cmake|ansible-playbook|exec|chmod)$/;

/** Files that a command runs as code, canonical: its program when that is a path, and the script it is given. */
export function ranFiles(command: SimpleCommand, evidence: Pick<Evidence, 'sources'>): readonly string[] {
  const { facts } = evidence.sources;
  const { cwd, argv, program } = command;
  if (cwd === null) return [];
  const resolve = (text: string): string => canonicalPath(text, cwd, facts, 'follow');
  const [first, ...rest] = argv;
  const files: string[] = [];
  if (first !== undefined && /[\\/]/.test(first.text)) files.push(resolve(first.text));
  if (INTERPRETERS.test(program) && program !== 'chmod') {
    const script = rest.find((word) => !word.text.startsWith('-') && word.text !== 'run');
    if (script !== undefined) files.push(resolve(script.text));
  }
  return files;
}

/** Folders that people put into a search path, for one of which only is known that it was changed. */
const USUAL_FOLDERS = ['', '/bin', '/.bin', '/scripts', '/tools', '/hack', '/.local/bin', '/node_modules/.bin'];

/** Values that the line itself gives to the search path, for one command or from there on. */
const ownPaths = (line: string): readonly string[] =>
  [...line.matchAll(/(?<![\w$])PATH=("[^"]*"|'[^']*'|[^\s;&|]+)/g)].map(([, value = '']) => value.replace(/["']/g, ''));

/**
 * Folders in which programs are looked up before those of the system, as the terminal has them before and after the line, and as
 * the line itself says; the usual ones when it cannot be told.
 */
function searchPath(command: SimpleCommand, evidence: Evidence): readonly string[] {
  const { lacuna, terminal, analysis, sources } = evidence;
  const { facts } = sources;
  const inLine = lacuna.kind === 'ExecuteShell' ? ownPaths(lacuna.params.command) : [];
  const values = [terminal, analysis.terminal].flatMap(({ variables }) => variables.get('PATH') ?? []);
  if (values.length === 0 && inLine.length === 0) return [];
  const folders = [...values.map(({ text }) => text), ...inLine].flatMap((value) => value.split(/[:;]/));
  const known = folders.flatMap((folder) => {
    const whole = folder.replace(/^\$\{?PWD\}?/, command.cwd ?? '.').replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, facts.home);
    if (/^(?:[A-Z]:)?\//i.test(whole)) return [whole];
    // A relative folder is looked up from wherever the command stands.
    return command.cwd === null || whole === '' || /[$`]/.test(whole)
      ? []
      : [canonicalPath(whole, command.cwd, facts, 'follow')];
  });
  if (known.length > 0) return known;
  return [...facts.roots, facts.home, '/tmp'].flatMap((root) => USUAL_FOLDERS.map((folder) => root + folder));
}

/** The file of this session that stands before a program of the system in the search path; null when none does. */
function shadowOf(command: SimpleCommand, evidence: Evidence): string | null {
  const { state, sources, files } = evidence;
  const name = command.argv[0]?.text ?? '';
  if (name === '' || /[\\/]/.test(name)) return null;
  const made = new Set(files.filter(({ change }) => change !== 'delete').map((file) => file.path));
  for (const folder of searchPath(command, evidence)) {
    const path = `${sources.facts.realPath(folder).replace(/\/$/, '')}/${name}`;
    const file = state.files.get(path);
    if (made.has(path) || (file !== undefined && !file.isDeleted)) return path;
  }
  return null;
}

/** First effect of a command, to hang a finding on; null when it has none of its own. */
function effectOf(analysis: Analysis, command: number): number | null {
  const execute = analysis.effects.findIndex((effect) => effect.command === command && effect.op === 'execute');
  const any = execute >= 0 ? execute : analysis.effects.findIndex((effect) => effect.command === command);
  return any < 0 ? null : any;
}

/**
 * Code of the project that runs unread, by a test runner, a build or an import, while the session has written something into the
 * project that would be stopped if it were run by itself.
 */
export function runsHarmful({ analysis, state, sources }: Evidence): readonly Found[] {
  const [first] = state.harmful.toJSON();
  if (first === undefined) return [];
  const [path, why] = first;
  return analysis.effects.flatMap((effect, index): Found[] =>
    effect.op === 'execute' && effect.resource.type === 'process' && effect.traits.includes('unreviewed')
      ? [
          {
            finding: 'runs-harmful',
            effect: index,
            why: `it may load ${shownPath(path, sources.facts)}, which this session wrote: ${why}`,
          },
        ]
      : [],
  );
}

const SHELLS = /^(?:|(?:ba|z|da|k|c|tc|fi)?sh|cmd|powershell|pwsh)$/;

/**
 * A raw connection and a program that is known only when it runs, in one piece of code: whoever is at the other end says what is
 * run. On this machine too, since a port may be forwarded from anywhere.
 */
export function runsWhatIsSent({ analysis }: Evidence): readonly Found[] {
  return analysis.effects.flatMap((effect, index): Found[] => {
    if (effect.op !== 'execute' || !effect.traits.includes('unreviewed') || effect.resource.type !== 'process')
      return [];
    if (!SHELLS.test(effect.resource.process)) return [];
    const isConnected = analysis.effects.some(
      ({ op, command, resource, traits }) =>
        op === 'network' &&
        command === effect.command &&
        traits.includes('upload') &&
        resource.type === 'url' &&
        resource.method === null &&
        resource.url.startsWith('//'),
    );
    return isConnected
      ? [{ finding: 'runs-untrusted', effect: index, why: 'what comes over a connection decides what is run' }]
      : [];
  });
}

/**
 * Code that came from outside, run in this session: a download, something unpacked or made from one, or a file that carries
 * untrusted data. What the agent wrote itself is judged by what it contains, and is no finding.
 */
export function runsUntrusted(evidence: Evidence): readonly Found[] {
  const { analysis, state, sources } = evidence;
  if (state.files.size === 0) return [];
  return analysis.commands.flatMap((command, index): Found[] => {
    for (const path of ranFiles(command, evidence)) {
      const file = state.files.get(path) ?? folderOf(path, evidence);
      if (file === undefined) continue;
      if (file.provenance === 'download' || labelsOfPath(path, state, sources).isUntrusted) {
        const why = `${shownPath(path, sources.facts)} was downloaded or came from an untrusted source in this session`;
        return [{ finding: 'runs-untrusted', effect: effectOf(analysis, index), why }];
      }
    }
    return [];
  });
}

/** The nearest folder above that the session touched: what was unpacked or cloned into it came along. */
function folderOf(path: string, evidence: Evidence): FileState | undefined {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = evidence.state.files.get(path.slice(0, at));
    if (above !== undefined) return above;
  }
  return undefined;
}

/** Names of the system that a session has no reason to answer with a program of its own. */
const SYSTEM_NAMES =
  /^(?:sudo|doas|su|ssh|scp|sftp|git|gh|curl|wget|rm|cp|mv|ls|cat|grep|find|sed|awk|tar|npm|npx|pnpm|yarn|node|pip\d?|python[\d.]*|docker|podman|kubectl|make|gcc|cc|cargo|go|bash|sh|zsh|env|chmod|chown|kill|ps|passwd|gpg|openssl|systemctl|apt|apt-get|brew|code|vim|nano)$/;

/** A program, alias or function of this session that answers to the name of a program of the system. */
export function runsTampered(evidence: Evidence): readonly Found[] {
  const { analysis, sources } = evidence;
  return analysis.commands.flatMap((command, index): Found[] => {
    const name = command.argv[0]?.text ?? '';
    const shadow = shadowOf(command, evidence);
    const isSystem = SYSTEM_NAMES.test(name);
    const effect = effectOf(analysis, index);
    if (shadow !== null && isSystem) {
      const why = `${name} is now ${shownPath(shadow, sources.facts)}, which this session wrote`;
      return [{ finding: 'runs-tampered', effect, why }];
    }
    return [];
  });
}
