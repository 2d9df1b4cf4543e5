import { oneLine } from '../words.js';

/** Text of an agent as code in a line of Markdown: it can neither end the code nor become a link. */
export function code(text: string, maxLength?: number): string {
  const line = oneLine(text, maxLength);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** Text of an agent or a rule as plain words in a line of Markdown: signs that Markdown or icons would take are escaped. */
export const plain = (text: string, maxLength = 300): string =>
  oneLine(text, maxLength).replace(/[\\`*_{}[\]()#+\-.!|<>~$]/g, '\\$&');

/** A link that runs a command. */
export const commandLink = (title: string, command: string, ...args: readonly unknown[]): string =>
  `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(args))})`;
