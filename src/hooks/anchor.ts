import type { Platform } from '../core/effects/facts.js';
import { isAbsolute, joinPath } from '../core/effects/paths.js';
import type { Proposal } from '../core/lacuna/lacuna.js';

/** Parameters that are paths, by kind. `QueryDatabase` names databases of the settings too, so it stays as it is. */
const PATHS: ReadonlySet<string> = new Set(['path', 'from', 'to']);

/**
 * A proposal as seen from the folder its agent works in: relative paths are anchored there, and a command runs there. Lacuna's own
 * relative paths start at the workspace root, which need not be that folder.
 */
export function anchored(proposal: Proposal, cwd: string | null, platform: Platform): Proposal {
  if (cwd === null || !isAbsolute(cwd, platform)) return proposal;
  const params: Record<string, unknown> = { ...proposal.params };
  for (const [name, value] of Object.entries(params))
    if (PATHS.has(name) && typeof value === 'string' && !isAbsolute(value, platform) && !value.startsWith('~'))
      params[name] = joinPath(cwd, value, platform);
  if (proposal.kind === 'ExecuteShell') params['cwd'] = joinPath(cwd, proposal.params.cwd ?? '.', platform);
  return { ...proposal, params } as Proposal;
}
