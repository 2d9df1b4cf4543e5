/** What `for /f` goes over: lines of a text, files, or the lines that a command says. */
export interface LoopedOver {
  readonly kind: 'text' | 'files' | 'command';
  /** Lines, names of files, or one command. */
  readonly text: readonly string[];
}

/** Which of the three stands between the brackets; `usebackq` gives the quotes other meanings. Source: for /?. */
export function loopedOver(set: string, detail: string): LoopedOver {
  const quoted = /^(["'`])([\s\S]*)\1$/.exec(set);
  const inner = quoted?.[2] ?? '';
  const isBackquoted = /\busebackq\b/i.test(detail);
  switch (quoted?.[1]) {
    case '`':
      return { kind: 'command', text: [uncareted(inner)] };
    case "'":
      return isBackquoted ? { kind: 'text', text: [inner] } : { kind: 'command', text: [uncareted(inner)] };
    case '"':
      return isBackquoted ? { kind: 'files', text: [inner] } : { kind: 'text', text: [inner] };
    default:
      return { kind: 'files', text: set.match(/"[^"]*"|[^\s"]+/g)?.map((name) => name.replaceAll('"', '')) ?? [] };
  }
}

/** A command between brackets has its `^|`, `^>` and `^&` read once before it runs. */
const uncareted = (command: string): string => command.replace(/\^([|<>&^()])/g, '$1');

/** Lines as the variables of the loop get them: by `tokens=`, `delims=` and `skip=`. Empty lines are passed over. */
export function tokensOf(lines: readonly string[], detail: string): readonly (readonly string[])[] {
  const skip = Number(/\bskip=(\d+)/i.exec(detail)?.[1] ?? 0);
  const delimiters =
    /\bdelims=(.*?)"?$/i.exec(detail.replace(/(?<!\s)\s+(?:tokens|skip|eol|usebackq)\b.*$/i, ''))?.[1] ?? ' \t';
  const wanted = /\btokens=([\d,*-]+)/i.exec(detail)?.[1] ?? '1';
  return lines
    .slice(skip)
    .map((line) => line.replace(/\r$/, ''))
    .filter((line) => line.trim() !== '')
    .map((line) => taken(line, delimiters, wanted));
}

function taken(line: string, delimiters: string, wanted: string): readonly string[] {
  const isDelimiter = (character: string): boolean => delimiters.includes(character);
  const tokens: string[] = [];
  const rests: string[] = [];
  for (let at = 0; at < line.length;) {
    while (at < line.length && isDelimiter(line[at] ?? '')) at += 1;
    if (at >= line.length) break;
    const start = at;
    while (at < line.length && !isDelimiter(line[at] ?? '')) at += 1;
    tokens.push(line.slice(start, at));
    rests.push(line.slice(start));
  }
  return wanted
    .split(/,|(?=\*)/)
    .filter(Boolean)
    .flatMap((part) => {
      const [from = '', to = from] = part.split('-');
      if (part === '*') return [rests[wanted === '*' ? 0 : lastNumber(wanted)] ?? ''];
      const numbers = Array.from(
        { length: Math.min(Math.max(Number(to) - Number(from) + 1, 0), 30) },
        (_, at) => Number(from) + at,
      );
      return numbers.map((number) => tokens[number - 1] ?? '');
    });
}

const lastNumber = (wanted: string): number => Number(/(\d+)\D*$/.exec(wanted.slice(-16))?.[1] ?? 0);
