import { compilePolicy, modeOf, type CompiledPolicy } from './compile.js';
import { loadInForce, type KeptPolicies } from './lastGood.js';
import { layersOf, type LoadedSource, type PolicyFiles, type PolicySource } from './load.js';
import type { PolicyProblem } from './problem.js';
import type { Mode } from './verdict.js';

/**
 * The policy in force and how it came about. A broken file leaves its last good version in force, or, where there was none, the
 * built-in policy; its problems are kept to be shown. Nothing is loosened by a mistake, also not over the end of the process.
 */
export class PolicyStore {
  readonly #files: PolicyFiles;
  readonly #kept: KeptPolicies;
  #sources: readonly PolicySource[] = [];
  #loaded: readonly LoadedSource[] = [];
  #isTrusted: boolean;
  #policy: CompiledPolicy;
  #version = 0;

  constructor(files: PolicyFiles, kept: KeptPolicies, isTrusted: boolean) {
    this.#files = files;
    this.#kept = kept;
    this.#isTrusted = isTrusted;
    this.#policy = compilePolicy(layersOf([], { isTrusted }));
  }

  /** The policy in force. */
  get policy(): CompiledPolicy {
    return this.#policy;
  }

  /** Grows with each change of the policy: decisions are cached by it. */
  get version(): number {
    return this.#version;
  }

  /** What is wrong with the files as they are now. */
  get problems(): readonly PolicyProblem[] {
    return this.#loaded.flatMap(({ problems }) => problems);
  }

  /** What became of each source. */
  get loaded(): readonly LoadedSource[] {
    return this.#loaded;
  }

  /** The mode that the files ask for; null when none does. */
  get mode(): Mode | null {
    return modeOf(this.#policy.layers, this.#isTrusted);
  }

  /** Reads the sources again, or other ones. The new policy counts from the next decision on. */
  async load(sources: readonly PolicySource[] = this.#sources, isTrusted: boolean = this.#isTrusted): Promise<void> {
    this.#loaded = await loadInForce(sources, this.#files, this.#kept, this.#loaded);
    this.#sources = sources;
    this.#isTrusted = isTrusted;
    this.#policy = compilePolicy(layersOf(this.#loaded, { isTrusted }));
    this.#version++;
  }
}
