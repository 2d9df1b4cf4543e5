import type { Facts } from '../effects/facts.js';
import { isWithin } from '../effects/paths.js';
import { sensitivityOf } from '../effects/sensitivePaths.js';
import { joinLabels, ORDINARY, type DeclaredLabels, type Labels } from './labels.js';
import type { SessionState } from './state.js';

/** Where labels of a path come from besides the session itself. */
export interface LabelSources {
  readonly facts: Facts;
  /** `device:inode` of what stands at a path; null when it cannot be known. */
  readonly identity: (path: string) => string | null;
  /** What the policy's `labels:` say of a path; null when they say nothing. */
  readonly policyLabels: (path: string) => DeclaredLabels | null;
}

/** Folders of code that others wrote and a package manager brought. */
const DEPENDENCIES =
  /\/(?:node_modules|bower_components|site-packages|dist-packages|\.venv|venv|\.tox|\.cargo\/registry|go\/pkg\/mod|\.m2\/repository|\.gradle\/caches|\.gem|\.pnpm|\.yarn\/(?:cache|unplugged)|Pods)(?:\/|$)/;

/** Labels by name and policy alone. */
function standingLabels(path: string, sources: LabelSources): Labels {
  const named = labelsByName(path, sources.facts);
  const declared = sources.policyLabels(path);
  if (declared === null) return named;
  const said = {
    confidentiality: declared.confidentiality ?? named.confidentiality,
    isUntrusted: declared.isUntrusted ?? named.isUntrusted,
  };
  return joinLabels(said, declared.atLeast);
}

function labelsByName(path: string, facts: Facts): Labels {
  const { isSecret, isPersonal } = sensitivityOf(path, facts);
  const isUntrusted = DEPENDENCIES.test(path);
  if (isSecret) return { confidentiality: 'secret', isUntrusted };
  if (isPersonal) return { confidentiality: 'sensitive', isUntrusted };
  return isUntrusted ? { confidentiality: 'internal', isUntrusted } : ORDINARY;
}

/** Labels that the session gave to the path, to a folder above it, or to the same file under another name. */
function sessionLabels(path: string, state: SessionState, sources: LabelSources): Labels {
  if (state.files.size === 0) return ORDINARY;
  let labels = state.files.get(path)?.labels ?? ORDINARY;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = state.files.get(path.slice(0, at));
    if (above !== undefined) labels = joinLabels(labels, above.labels);
  }
  const identity = state.identities.size === 0 ? null : sources.identity(path);
  const other = identity === null ? undefined : state.identities.get(identity);
  return other === undefined ? labels : joinLabels(labels, state.files.get(other)?.labels ?? ORDINARY);
}

/** What the file at a canonical path carries. Costs the depth of the path. */
export const labelsOfPath = (path: string, state: SessionState, sources: LabelSources): Labels =>
  joinLabels(standingLabels(path, sources), sessionLabels(path, state, sources));

/** What may be read by reading all below a folder, as far as the session marked files there. */
export function labelsBelow(folder: string, state: SessionState, sources: LabelSources): Labels {
  let labels = ORDINARY;
  for (const path of state.marked) {
    if (isWithin(path, folder, sources.facts)) labels = joinLabels(labels, state.files.get(path)?.labels ?? ORDINARY);
  }
  if (state.isMarkedFull) labels = joinLabels(labels, state.context);
  return labels;
}
