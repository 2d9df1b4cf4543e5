import type { GitState, Kept } from '../effects/effect.js';
import type { Entry, Facts, Platform, Repository } from '../effects/facts.js';
import { stateUnderIgnores } from '../effects/ignoreFiles.js';
import { KeptWork } from '../effects/keptWork.js';
import { isWithin } from '../effects/paths.js';

/** What earlier steps left at a path. A `file` with `text: null` was changed in a way that cannot be told. */
type Layered =
  | { readonly type: 'file'; readonly text: string | null }
  | { readonly type: 'folder' }
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'absent' };

const MOST_LINKS = 40;
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Facts as they would be had earlier steps run: files that were written, moved, copied, linked and deleted lie over what the
 * world really holds. Nothing is executed and nothing is changed. Lines are judged one after another on the same overlay.
 */
export class OverlayFacts implements Facts {
  readonly #below: Facts;
  readonly #layer = new Map<string, Layered>();
  /** Moved and copied folders: what lies at or below `to` is what lay at or below `from`. Latest first. */
  readonly #mirrors: { readonly to: string; readonly from: string }[] = [];
  /** Folder → names in it that the layer adds. */
  readonly #added = new Map<string, Set<string>>();
  /** What earlier steps gave git to hold. */
  readonly #kept: KeptWork;

  constructor(below: Facts) {
    this.#below = below;
    this.#kept = new KeptWork(below);
  }

  /** Git was given work to hold, in order; null where it is not known any more what it holds. */
  keep(kept: readonly (Kept | null)[]): void {
    for (const one of kept)
      if (one === null) this.#kept.clear();
      else this.#kept.add(one, true);
  }

  get platform(): Platform {
    return this.#below.platform;
  }
  get home(): string {
    return this.#below.home;
  }
  get roots(): readonly string[] {
    return this.#below.roots;
  }
  get temporary(): readonly string[] {
    return this.#below.temporary;
  }
  get isCaseSensitive(): boolean {
    return this.#below.isCaseSensitive;
  }

  /** A file was written whole; null text when its content is not known. */
  write(path: string, text: string | null): void {
    this.#put(path, { type: 'file', text });
  }

  /** Text was added to a file. */
  append(path: string, text: string | null): void {
    const before = this.entry(path) === 'absent' ? '' : this.readText(path);
    // What is added is known even when what was there is not: code in it still runs.
    this.write(path, text === null ? null : (before ?? '') + text);
  }

  makeFolder(path: string): void {
    if (this.entry(path) !== 'folder') this.#put(path, { type: 'folder' });
  }

  link(path: string, target: string): void {
    this.#put(path, { type: 'link', target });
  }

  /** Everything at and below a path is gone. */
  delete(path: string): void {
    for (const known of [...this.#layer.keys()]) if (isWithin(known, path, this)) this.#layer.delete(known);
    this.#layer.set(path, { type: 'absent' });
    this.#added.get(parentOf(path))?.delete(baseOf(path));
  }

  /** What lies at `from` now lies at `to` as well. */
  copy(from: string, to: string): void {
    const entry = this.entry(from);
    if (entry === 'folder' || (entry === 'unknown' && this.readText(from) === null)) {
      const inside = [...this.#layer].filter(([path]) => path !== from && isWithin(path, from, this));
      this.#mirrors.unshift({ to, from });
      this.#put(to, entry === 'folder' ? { type: 'folder' } : { type: 'file', text: null });
      for (const [path, layered] of inside) this.#put(to + path.slice(from.length), layered);
      return;
    }
    const layered = this.#layer.get(from);
    if (layered?.type === 'link') this.#put(to, layered);
    else this.write(to, this.readText(from));
  }

  move(from: string, to: string): void {
    this.copy(from, to);
    this.delete(from);
  }

  #put(path: string, layered: Layered): void {
    this.#kept.touch(path);
    this.#layer.set(path, layered);
    let child = path;
    for (let folder = parentOf(path); folder !== child; child = folder, folder = parentOf(folder)) {
      const names = this.#added.get(folder) ?? new Set();
      names.add(baseOf(child));
      this.#added.set(folder, names);
      if (this.#layer.get(folder)?.type === 'absent') this.#layer.set(folder, { type: 'folder' });
    }
  }

  /** What the layer says of a path; undefined when it says nothing. A folder that is gone takes all below it along. */
  #layered(path: string): Layered | undefined {
    const own = this.#layer.get(path);
    if (own !== undefined) return own;
    if (this.#layer.size === 0) return undefined;
    for (let folder = parentOf(path); folder !== '/' && folder !== ''; folder = parentOf(folder)) {
      const above = this.#layer.get(folder);
      if (above?.type === 'absent') return above;
      if (above !== undefined) return undefined;
      if (folder === parentOf(folder)) break;
    }
    return undefined;
  }

  /** The path below, for what was moved or copied as a folder. */
  #origin(path: string): string {
    const mirror = this.#mirrors.find(({ to }) => isWithin(path, to, this));
    return mirror === undefined ? path : mirror.from + path.slice(mirror.to.length);
  }

  entry(path: string): Entry {
    const layered = this.#layered(path);
    if (layered === undefined) {
      if (this.#added.has(path)) return 'folder';
      return this.#below.entry(this.#origin(path));
    }
    return layered.type;
  }

  realPath(path: string): string {
    return this.#resolve(path, MOST_LINKS);
  }

  #resolve(path: string, links: number): string {
    if (links === 0 || this.#layer.size === 0) return this.#below.realPath(path);
    const parts = path.split('/');
    for (let i = 2; i <= parts.length; i++) {
      const head = parts.slice(0, i).join('/');
      const layered = this.#layer.get(head);
      if (layered?.type === 'link') return this.#resolve(layered.target + path.slice(head.length), links - 1);
    }
    return this.#layered(path) === undefined && !this.#added.has(path) ? this.#below.realPath(path) : path;
  }

  readText(path: string): string | null {
    const real = this.realPath(path);
    const layered = this.#layered(real);
    if (layered === undefined) return this.#below.readText(this.#origin(real));
    return layered.type === 'file' ? layered.text : null;
  }

  sizeBytes(path: string): number | null {
    const layered = this.#layered(this.realPath(path));
    if (layered === undefined) return this.#below.sizeBytes(this.#origin(path));
    return layered.type === 'file' ? (layered.text?.length ?? null) : null;
  }

  list(path: string): readonly string[] | null {
    const layered = this.#layered(path);
    if (layered !== undefined && layered.type !== 'folder') return null;
    const below = this.#below.list(this.#origin(path));
    const added = this.#added.get(path);
    if (below === null && added === undefined) return null;
    const names = new Set([...(below ?? []), ...(added ?? [])]);
    return [...names].filter((name) => this.#layer.get(`${path}/${name}`)?.type !== 'absent');
  }

  gitState(path: string): GitState {
    const state = stateUnderIgnores(path, this.#uncommittedState(path), this.#below, (file) => {
      const layered = this.#layer.get(file);
      return layered === undefined ? undefined : layered.type === 'file' ? layered.text : null;
    });
    return this.#kept.stateOf(path, state);
  }

  #uncommittedState(path: string): GitState {
    const layered = this.#layered(path);
    if (layered === undefined) return this.#below.gitState(path);
    if (layered.type === 'absent') return 'absent';
    const below = this.#below.gitState(path);
    if (below === 'tracked') return 'modified';
    return below === 'absent' ? 'untracked' : below;
  }

  uncommitted(path: string): readonly string[] | null {
    const below = this.#below.uncommitted(path);
    if (below === null) return null;
    const changed = [...this.#layer].flatMap(([file, layered]) =>
      layered.type === 'file' && isWithin(file, path, this) && this.#below.gitState(file) !== 'ignored' ? [file] : [],
    );
    const files = [...new Set([...below, ...changed])];
    return this.#kept.mark() === 0
      ? files
      : files.filter((file) => /^(?:modified|untracked)$/.test(this.gitState(file)));
  }

  repository(path: string): Repository | null {
    return this.#below.repository(path);
  }

  environment(name: string): string | null | undefined {
    return this.#below.environment(name);
  }
}
