import type { ParamsOf } from './kinds.js';

/** A tool as its server knows it. `server` is null where the name tells of none. */
export interface ToolName {
  readonly server: string | null;
  readonly tool: string;
}

/** How many ways to read one name are looked at. A server's name has few words. */
const MOST_READINGS = 8;

/**
 * Ways to read the name by which an agent calls a tool, the likeliest first. `mcp__github__create_issue` has one. VS Code's
 * `mcp_my_files_read` does not tell where the server's name ends, so that it has several: `my`, `my_files`. The name of a server
 * is its own word in any case: VS Code takes what it says of itself, lower-case and cut to 13 characters. Linear in the name.
 */
export function readingsOf({ tool, server }: Pick<ParamsOf['CallTool'], 'tool' | 'server'>): readonly ToolName[] {
  if (server !== undefined) return [{ server, tool }];
  const plain = /^mcp__(.+?)__(.+)$/.exec(tool);
  if (plain?.[1] !== undefined && plain[2] !== undefined) return [{ server: plain[1], tool: plain[2] }];
  if (!tool.startsWith('mcp_')) return [{ server: null, tool }];
  const words = tool.slice('mcp_'.length).split('_');
  const readings = words.slice(1, MOST_READINGS + 1).map((_, before) => ({
    server: words.slice(0, before + 1).join('_'),
    tool: words.slice(before + 1).join('_'),
  }));
  const whole = readings.filter(({ server: name, tool: rest }) => name !== '' && rest !== '');
  return whole.length === 0 ? [{ server: null, tool }] : whole;
}

/** Names under which a policy may speak of a tool: as it is called, by its own name, and with its server before that. */
export const namesOfTool = (params: Pick<ParamsOf['CallTool'], 'tool' | 'server'>): readonly string[] => [
  ...new Set([
    params.tool,
    ...readingsOf(params).flatMap(({ server, tool }) =>
      server === null ? [tool] : [tool, `${server}.${tool}`, `${server}/${tool}`],
    ),
  ]),
];
