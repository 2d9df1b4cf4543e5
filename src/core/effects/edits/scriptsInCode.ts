/** A script of a manifest that some code sets; `text` is null where it is more than a plain string, `*` stands for any name. */
export interface ScriptSet {
  readonly name: string;
  readonly text: string | null;
}

const STRING = String.raw`\\?"((?:[^"\\\n]|\\.)*?)\\?"|\\?'((?:[^'\\\n]|\\.)*?)\\?'`;
/** `scripts.x = "…"`, `p["scripts"]["x"] = '…'`, jq's `.scripts.x |= "…"`. */
const MEMBER = new RegExp(
  String.raw`\bscripts\b\\?["']?\]?\s*(?:\??\.\s*(?:([\w:-]+)|"([\w:.-]+)")|\[\s*\\?["']([\w:.-]+)\\?["']\s*\])\s*(?:\|=|\+=|=(?![=>]))\s*(?:${STRING})?`,
  'g',
);
/** `scripts = {…}`, `.scripts += {…}`, `["scripts"].update({…})`, `Object.assign(p.scripts, {…})`. */
const WHOLE =
  /\bscripts\b\\?["']?\]?\s*(?:(?:\|=|\+=|\*=|=(?![=>]))\s*(?:\.\s*\+\s*)?|\.update\(\s*|,\s*)(?:dict\(|\(?\s*\.scripts\s*[+*]\s*)?(\{[^{}]{0,2000}\}|[\w$.]+)/g;
const PAIR = new RegExp(String.raw`\\?["']?([\w:.-]+)\\?["']?\s*:\s*(?:${STRING})`, 'g');
/** `--arg name value` of jq, as written. */
const ARGUMENT = /--arg\s+(\w+)\s+(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))/g;

const plain = (text: string): string => text.replace(/\\(["'\\/])/g, '$1');

/**
 * Scripts of a package.json that code in a line sets, whatever language it is written in: Python, JavaScript, a filter of jq. To be asked
 * only of lines that write such a file. Reads text, not syntax: what it finds adds to what is known, and nothing rests on what it
 * does not find. Close to linear.
 */
export function scriptsInCode(line: string): readonly ScriptSet[] {
  if (!line.includes('scripts')) return [];
  const code = line.slice(0, 64 * 1024);
  const given = new Map([...code.matchAll(ARGUMENT)].map(([, name = '', a, b, c]) => [name, plain(a ?? b ?? c ?? '')]));
  const members = [...code.matchAll(MEMBER)].map((match): ScriptSet => {
    const [whole, dotted, quoted, indexed, double, single] = match;
    const text = double ?? single;
    const variable = /^\s*\$(\w+)/.exec(code.slice(match.index + whole.length))?.[1] ?? '';
    return {
      name: dotted ?? quoted ?? indexed ?? '*',
      text: text === undefined ? (given.get(variable) ?? null) : plain(text),
    };
  });
  const wholes = [...code.matchAll(WHOLE)].flatMap(([, value = '']): ScriptSet[] =>
    value.startsWith('{')
      ? [...value.matchAll(PAIR)].map(([, name = '*', double, single]) => ({
          name,
          text: plain(double ?? single ?? ''),
        }))
      : [],
  );
  return [...members, ...wholes];
}
