import picomatch from 'picomatch';
import type { Analysis, Effect } from '../effects/effect.js';
import { joinPath } from '../effects/paths.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { wholeOf } from './fragments.js';
import type { OverlayFacts } from './overlay.js';

type Edits = readonly { readonly oldText: string; readonly newText: string }[];

/** Programs that touch a file and leave its content as it is. */
const LEAVES_CONTENT = /^(?:chmod|chown|chgrp|chattr|chflags|setfacl|icacls|attrib|touch|xattr|Set-Acl)$/i;
/** Programs that make another text of what comes in, which may be anything: a script out of data, a setting out of none. */
const MAKES_ANEW =
  /^(?:g?sed|[gmn]?awk|perl|jq|gojq|jaq|yq|g?cut|g?paste|g?join|xargs|iconv|envsubst|m4|j2|jinja2|mustache|colrm)$/;
const MAKES_FOLDER = /^(?:mkdir|md|install)$/i;
const MAKES_LINK = /^(?:ln|mklink|New-Item|ni)$/i;
/** A move or copy by a glob takes at most so many files along. */
const MOST_FILES = 500;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The text after the edits. Null when the file's own text is known and one of them does not fit. */
function edited(text: string, edits: Edits): string {
  let after = text;
  for (const { oldText, newText } of edits) after = after.replace(oldText, () => newText);
  return after;
}

/** One change of the overlay at a time, in the order of the effects. */
class Application {
  readonly #proposal: Proposal;
  readonly #analysis: Analysis;
  readonly #overlay: OverlayFacts;

  constructor(proposal: Proposal, analysis: Analysis, overlay: OverlayFacts) {
    this.#proposal = proposal;
    this.#analysis = analysis;
    this.#overlay = overlay;
  }

  run(): void {
    const gone: string[] = [];
    for (const effect of this.#analysis.effects) {
      if (!('path' in effect.resource) || effect.traits.includes('dry-run')) continue;
      const { path } = effect.resource;
      if (effect.op === 'write' && effect.certainty === 'exact') this.#write(path, effect);
      else if (effect.op === 'write' && effect.certainty === 'pattern') this.#writeMany(path);
      else if (effect.op === 'delete' || effect.op === 'move') gone.push(...this.#named(path, effect));
    }
    // What is moved goes last: where it went to has been filled from it.
    for (const path of gone) this.#overlay.delete(path);
    this.#overlay.keep(this.#analysis.kept ?? []);
  }

  /** The paths that an effect means: one, or those that a glob finds in a folder that is known. */
  #named(path: string, effect: Effect): readonly string[] {
    if (effect.certainty === 'exact') return [path];
    if (effect.certainty === 'dynamic') return [];
    const folder = parentOf(path);
    if (/[*?[{]/.test(folder)) return [];
    const matches = picomatch(baseOf(path), { dot: true });
    const names = (this.#overlay.list(folder) ?? []).filter((name) => matches(name));
    return names.slice(0, MOST_FILES).map((name) => `${folder}/${name}`);
  }

  /** Files that go by a glob into a folder: `mv *.png a/` is a flow from `*.png` to `a/*.png`. */
  #writeMany(path: string): void {
    for (const flow of this.#analysis.flows) {
      if (flow.how !== 'verbatim' || !('path' in flow.to) || flow.to.path !== path || !('path' in flow.from)) continue;
      const source = this.#analysis.effects.find(
        (e) => 'path' in e.resource && 'path' in flow.from && e.resource.path === flow.from.path,
      );
      if (source === undefined) continue;
      for (const file of this.#named(flow.from.path, source))
        this.#overlay.copy(file, `${parentOf(path)}/${baseOf(file)}`);
    }
  }

  #write(path: string, effect: Effect): void {
    const proposal = this.#proposal;
    if (proposal.kind === 'WriteFile') this.#overlay.write(path, proposal.params.content);
    else if (proposal.kind === 'EditFile') this.#edit(path, proposal.params.edits);
    else if (proposal.kind === 'MoveFile' || proposal.kind === 'ExecuteShell') this.#command(path, effect);
    else this.#overlay.write(path, null);
  }

  #edit(path: string, edits: Edits): void {
    const before = this.#overlay.readText(path);
    if (before !== null) this.#overlay.write(path, edited(before, edits));
    else {
      // Nothing is known of the file: what the edit puts there is known, and is what the agent answers for.
      const added = edits.map(({ newText }) => newText).join('\n');
      this.#overlay.write(path, this.#overlay.entry(path) === 'unknown' ? wholeOf(path, added) : null);
    }
  }

  #command(path: string, effect: Effect): void {
    const command = effect.command === null ? undefined : this.#analysis.commands[effect.command];
    const program = command?.program ?? '';
    const isAppend = effect.traits.includes('append');
    if (LEAVES_CONTENT.test(program)) {
      if (this.#overlay.entry(path) === 'absent') this.#overlay.write(path, '');
      return;
    }
    if (MAKES_FOLDER.test(program)) {
      this.#overlay.makeFolder(path);
      return;
    }
    if (MAKES_LINK.test(program)) {
      const target = linkTarget(
        (command?.argv ?? []).map((word) => word.text),
        path,
      );
      if (target !== null) {
        this.#overlay.link(path, joinPath(parentOf(path), target, this.#overlay.platform));
        return;
      }
    }
    const isMadeAnew = this.#isMadeAnew(effect);
    const literal = isMadeAnew ? null : this.#literalInto(path);
    const [from, more] = isMadeAnew ? [] : this.#copiedInto(path);
    if (literal !== null && isAppend) this.#overlay.append(path, literal);
    else if (literal !== null) this.#overlay.write(path, literal);
    else if (from !== undefined && more === undefined && from !== path && !isAppend) this.#overlay.copy(from, path);
    else if (isAppend) this.#overlay.append(path, null);
    else this.#overlay.write(path, null);
  }

  /** Whether what is written went through a program that makes other text of it: what came in says nothing of what comes out. */
  #isMadeAnew(effect: Effect): boolean {
    const { commands } = this.#analysis;
    const own = effect.command === null ? undefined : commands[effect.command];
    return own !== undefined && commands.some((one) => one.pipeline === own.pipeline && MAKES_ANEW.test(one.program));
  }

  /** Paths whose whole goes verbatim into a path. */
  #copiedInto(path: string): readonly string[] {
    return this.#analysis.flows.flatMap((flow) =>
      flow.how === 'verbatim' && 'path' in flow.to && flow.to.path === path && 'path' in flow.from
        ? [flow.from.path]
        : [],
    );
  }

  /** Text that is known to go into a path (`echo x > f`, a here-document); null when none is. */
  #literalInto(path: string): string | null {
    const into = this.#analysis.flows.flatMap(({ from, to, how }) =>
      from.type === 'literal' && how !== 'digest' && 'path' in to && to.path === path ? [{ text: from.text, how }] : [],
    );
    // What only went in encoded or decoded is not what stands there.
    const texts = into.every(({ how }) => how === 'encode') ? [] : into.map(({ text }) => text);
    if (texts.length === 0) return null;
    const text = texts.join('\n');
    return text.endsWith('\n') ? text : `${text}\n`;
  }
}

/** What a link points at, from the words that made it; null for a hard link or when it cannot be told. */
function linkTarget(words: readonly string[], link: string): string | null {
  const [program = ''] = words;
  if (/^(?:New-Item|ni)$/i.test(program)) {
    const at = words.findIndex((word) => /^-(?:Value|Target)$/i.test(word));
    const isLink = words.some((word) => /^(?:SymbolicLink|Junction)$/i.test(word));
    return isLink && at >= 0 ? (words[at + 1] ?? null) : null;
  }
  const plain = words.slice(1).filter((word) => !/^-|^\/[a-z]$/i.test(word));
  if (/mklink/i.test(program)) return plain[1] ?? null;
  if (!words.some((word) => /^-\w*s|^--symbolic$/.test(word))) return null;
  const [first] = plain;
  if (plain.length <= 2) return first ?? null;
  return plain.find((word) => baseOf(word) === baseOf(link)) ?? null;
}

/** Lays over the facts what a step would have changed, as far as it is known. What is not known is marked as unknown content. */
export function applyStep(proposal: Proposal, analysis: Analysis, overlay: OverlayFacts): void {
  new Application(proposal, analysis, overlay).run();
}
