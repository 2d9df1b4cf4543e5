/** The table of a server in the configuration of Codex. */
const HEADER = '[mcp_servers.lacuna]';

/** Whether a line begins another table. */
const isHeader = (line: string): boolean => /^\s*\[/.test(line);

/** The text without our table; all else stays as it is. */
export function withoutServer(text: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim() === HEADER);
  if (from < 0) return text;
  const next = lines.findIndex((line, at) => at > from && isHeader(line));
  const before = lines.slice(0, from);
  // The empty line that was put before the table goes with it.
  if (before.at(-1) === '' && before.length > 1) before.pop();
  return [...before, ...(next < 0 ? [''] : ['', ...lines.slice(next)])].join('\n').replace(/^\n+$/, '');
}

/** The text with our table at its end, where no other table can be torn apart by it. */
export function withServer(text: string, command: string, args: readonly string[]): string {
  const table = [HEADER, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`, ''].join('\n');
  const known = serverIn(text);
  if (known === table.trim()) return text;
  const rest = withoutServer(text);
  if (rest === '') return table;
  return `${rest.endsWith('\n') ? rest : `${rest}\n`}\n${table}`;
}

/** Our table as it stands there; null when it does not. */
function serverIn(text: string): string | null {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.trim() === HEADER);
  if (from < 0) return null;
  const next = lines.findIndex((line, at) => at > from && isHeader(line));
  return lines
    .slice(from, next < 0 ? undefined : next)
    .join('\n')
    .trim();
}
