/** A here-document as its line announces it. */
interface Announced {
  readonly start: number;
  readonly end: number;
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
}

const OPERATOR = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w./+-]+))/;
const MAX_LINES = 4_000;

/** Here-documents that one line announces, outside of quotes, comments and arithmetic. */
function announcedIn(line: string): readonly Announced[] {
  const found: Announced[] = [];
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '#' && /(^|\s)$/.test(line.slice(0, at))) break;
    else if (line.startsWith('((', at)) at = Math.max(at, line.indexOf('))', at));
    else if (line.startsWith('<<<', at)) at += 2;
    else if (char === '<') {
      const [own, dash, single, double, bare] = OPERATOR.exec(line.slice(at)) ?? [];
      if (own === undefined) continue;
      const isLiteral = single !== undefined || double !== undefined || own.includes('\\');
      const delimiter = single ?? double ?? bare ?? '';
      found.push({ start: at, end: at + own.length, delimiter, isLiteral, stripsTabs: dash === '-' });
      at += own.length - 1;
    }
  }
  return found;
}

/** A body as the word behind `<<<`, which gives the same bytes. */
const asString = (body: string, isLiteral: boolean): string =>
  isLiteral ? `'${body.replaceAll("'", `'\\''`)}'` : `"${body.replaceAll('"', '\\"')}"`;

/**
 * A text in which each line that announces several here-documents has here-strings instead; null where there is no such line or a
 * body does not end. The grammar reads one here-document a line. Linear in the text.
 */
export function withoutSeveralHeredocs(text: string): string | null {
  if ((text.match(/<</g)?.length ?? 0) < 2) return null;
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) return null;
  const out: string[] = [];
  let isChanged = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const announced = announcedIn(line);
    let next = at + 1;
    const bodies: string[] = [];
    for (const { delimiter, stripsTabs } of announced) {
      const body: string[] = [];
      const plain = (one: string): string => (stripsTabs ? one.replace(/^\t+/, '') : one);
      while (next < lines.length && plain(lines[next] ?? '') !== delimiter) body.push(plain(lines[next++] ?? ''));
      if (next >= lines.length) return null;
      next += 1;
      bodies.push(body.join('\n'));
    }
    if (announced.length > 1) {
      isChanged = true;
      let rest = line;
      for (const [index, { start, end, isLiteral }] of [...announced.entries()].reverse()) {
        rest = `${rest.slice(0, start)}<<<${asString(bodies[index] ?? '', isLiteral)}${rest.slice(end)}`;
      }
      out.push(rest);
    } else out.push(...lines.slice(at, next));
    at = next - 1;
  }
  return isChanged ? out.join('\n') : null;
}
