import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/json.js';
import type { KeptPolicies, KeptPolicy } from '../core/policy/lastGood.js';
import type { PolicySource } from '../core/policy/load.js';
import type { Clock, Hasher } from '../core/ports.js';
import { replaceFile } from './replaceFile.js';
import { ownKey } from './stateFolder.js';

const keptSchema = z.strictObject({
  v: z.literal(1),
  layer: z.enum(['organisation', 'user', 'workspace']),
  path: z.string(),
  /** SHA-256 of the key that the source had to be signed with; null when it had not to be. */
  signedWith: z.string().nullable(),
  goodAtMs: z.number(),
  texts: z.array(z.tuple([z.string(), z.string()])),
  /** HMAC-SHA-256 over {@link signedText}. */
  mac: z.string(),
});
type Kept = z.infer<typeof keptSchema>;

/** What the mac is made of: a list, so that there is one spelling only. */
const signedText = ({ layer, path: place, signedWith, goodAtMs, texts }: Omit<Kept, 'mac'>): string =>
  JSON.stringify([layer, place, signedWith, goodAtMs, texts]);

/** A folder that cannot be written keeps nothing: a file that breaks later then falls back to the default. */
const UNWRITABLE: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);

/**
 * The last good policies in Lacuna's own state: one file for each layer and place, made out by the key beside it as the audit is.
 * The key is made only when there is something to keep, so that whoever writes no policy pays nothing.
 */
export class KeptPolicyFolder implements KeptPolicies {
  readonly #folder: string;
  readonly #hasher: Hasher;
  readonly #clock: Clock;

  constructor(state: string, ports: { readonly hasher: Hasher; readonly clock: Clock }) {
    this.#folder = path.join(state, 'policies');
    this.#hasher = ports.hasher;
    this.#clock = ports.clock;
  }

  recall(source: PolicySource): KeptPolicy | null {
    const kept = this.#read(this.#fileOf(source));
    if (kept === null || kept.layer !== source.layer || kept.path !== source.path) return null;
    return {
      texts: new Map(kept.texts),
      goodAtMs: kept.goodAtMs,
      isProven: this.#isWhole(kept) && kept.signedWith === this.#signature(source),
    };
  }

  keep(source: PolicySource, texts: ReadonlyMap<string, string>): void {
    const known = this.recall(source);
    if (known?.isProven === true && isSame(known.texts, texts)) return;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const { layer, path: place } = source;
      const body = {
        v: 1 as const,
        layer,
        path: place,
        signedWith: this.#signature(source),
        goodAtMs: this.#clock.nowMs(),
        texts: [...texts],
      };
      const mac = this.#hasher.hmac(this.#key() ?? this.#newKey(), signedText(body));
      replaceFile(this.#fileOf(source), JSON.stringify({ ...body, mac }), 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && UNWRITABLE.has(error.code))) throw error;
    }
  }

  forget(source: PolicySource): void {
    const file = this.#fileOf(source);
    if (existsSync(file)) rmSync(file, { force: true });
  }

  /** Paths below a folder that something is kept of: what a folder held that cannot be looked into any more. */
  below(folder: string, layer: PolicySource['layer']): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => this.#read(path.join(this.#folder, name)) ?? [])
      .filter((kept) => kept.layer === layer && kept.path.startsWith(`${folder}/`))
      .map((kept) => kept.path)
      .sort();
  }

  get #keyFile(): string {
    return path.join(this.#folder, 'policies.key');
  }

  #fileOf({ layer, path: place }: PolicySource): string {
    return path.join(this.#folder, `${this.#hasher.sha256(`${layer}\n${place}`).slice(0, 32)}.json`);
  }

  #signature({ key }: PolicySource): string | null {
    return key === undefined ? null : this.#hasher.sha256(key.trim());
  }

  #read(file: string): Kept | null {
    if (!existsSync(file)) return null;
    const parsed = keptSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : null;
  }

  /** Whether we wrote it. Without the key nothing can be proven, and a new one would prove nothing either. */
  #isWhole(kept: Kept): boolean {
    const key = existsSync(this.#keyFile) ? this.#key() : null;
    return key !== null && this.#hasher.hmac(key, signedText(kept)) === kept.mac;
  }

  /** The key, made on first use; null when it is damaged. */
  #key(): string | null {
    try {
      return ownKey(this.#keyFile);
    } catch (error) {
      if (error instanceof Error && !('code' in error)) return null;
      throw error;
    }
  }

  /** A key in the place of a damaged one. What was kept with that one is not proven any more. */
  #newKey(): string {
    rmSync(this.#keyFile, { force: true });
    return ownKey(this.#keyFile);
  }
}

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, text]) => b.get(name) === text);
