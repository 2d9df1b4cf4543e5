import { namesOfTool, readingsOf } from '../../lacuna/toolName.js';
import { nameMatches, type NamePattern } from '../namePattern.js';
import type { Predicate } from '../subject.js';
import { tri } from '../tri.js';

/** A tool of CallTool, as it is called, as `tool` and as `server.tool`. */
export const matchesTool =
  (patterns: readonly NamePattern[]): Predicate =>
  ({ proposal }, { isRestricting }) => {
    if (proposal.kind !== 'CallTool') return 'no';
    const names = namesOfTool(proposal.params);
    return tri(patterns.some((pattern) => names.some((name) => nameMatches(pattern, name, isRestricting))));
  };

/** The server of CallTool; a tool without server has none. */
export const matchesServer =
  (patterns: readonly NamePattern[]): Predicate =>
  ({ proposal }, { isRestricting }) => {
    if (proposal.kind !== 'CallTool') return 'no';
    const servers = readingsOf(proposal.params).map(({ server }) => server);
    return tri(
      servers.some(
        (server) => server !== null && patterns.some((pattern) => nameMatches(pattern, server, isRestricting)),
      ),
    );
  };

/** What a tool that is silent about itself counts as. Source: Model Context Protocol, ToolAnnotations. */
const DEFAULTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;

/** A tool's own hints. They are the server's word: a rule that loosens on them should name the server it trusts. */
export const matchesAnnotations =
  (wanted: { readonly [K in keyof typeof DEFAULTS]?: boolean | undefined }): Predicate =>
  ({ proposal }) => {
    if (proposal.kind !== 'CallTool') return 'no';
    const given = proposal.params.annotations ?? {};
    return tri(
      (Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]).every(
        (hint) => wanted[hint] === undefined || wanted[hint] === (given[hint] ?? DEFAULTS[hint]),
      ),
    );
  };
