import { canonicalJson } from '../audit/chain.js';
import type { Analysis } from '../effects/effect.js';
import type { Lacuna } from '../lacuna/lacuna.js';

/**
 * What a person means by "for this session": the same kind doing the very same effects by the same commands. Another file,
 * another flag, another host is another question. What waits at run time is never the same twice.
 */
export function standingKey(lacuna: Lacuna, analysis: Analysis): string | null {
  if (analysis.effects.some((effect) => effect.certainty === 'dynamic' || effect.op === 'unknown')) return null;
  const effects = analysis.effects.map(({ op, resource, certainty, traits }) => {
    // Whether a file is tracked by now does not change what was agreed to; whether work would be lost does, by its trait.
    const subject = resource.type === 'path' ? { ...resource, git: null } : resource;
    return canonicalJson({ op, subject, certainty, traits });
  });
  return canonicalJson({
    kind: lacuna.kind,
    agent: lacuna.origin.subagent,
    effects: [...new Set(effects)].sort(),
    commands: analysis.commands.map((command) => ({ argv: command.argv.map((word) => word.text), cwd: command.cwd })),
    ...(lacuna.kind === 'ExecuteShell' ? {} : { params: lacuna.params }),
  });
}
