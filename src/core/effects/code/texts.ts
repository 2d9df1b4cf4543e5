import { fromBase64, fromHex, utf8 } from '../encoding.js';
import {
  concatenated,
  joinedTexts,
  knownText,
  listValue,
  optionsOf,
  replacedText,
  textValue,
  UNKNOWN,
  unknownValue,
  wordOf,
  wordValue,
  type Value,
} from './value.js';
import type { Host } from './library.js';
import { exactWord } from '../shell/word.js';

/**
 * What a method of a text or list gives, where it is known in all languages: joining, replacing, case, decoding. Null when the
 * name means nothing here.
 */
export function textMethod(receiver: Value, name: string, args: readonly Value[], host: Host): Value | null {
  const text = knownText(receiver);
  const first = knownText(args[0]);
  const second = knownText(args[1]);
  switch (name) {
    case 'join':
      if (receiver.kind === 'list') return joinedTexts(host.items(receiver), first ?? (args.length === 0 ? '' : ','));
      return args[0]?.kind === 'list' && text !== null ? joinedTexts(args[0].items, text) : null;
    case 'format':
      return text === null ? null : braceFormat(text, args);
    case 'replace':
    case 'replaceAll':
    case 'gsub':
    case 'sub':
      return text !== null && first !== null && second !== null && first !== ''
        ? replacedText(text, first, second)
        : textOrNull(receiver);
    case 'encode':
    case 'decode':
    case 'strip':
    case 'trim':
    case 'rstrip':
    case 'lstrip':
    case 'chomp':
    case 'toString':
    case 'to_s':
    case 'as_posix':
    case 'resolve':
    case 'absolute':
    case 'expanduser':
      if (name === 'toString' && (first === 'base64' || first === 'hex')) return unknownValue('text');
      if (receiver.kind === 'unknown' && receiver.file) return receiver;
      return receiver.kind === 'text' || receiver.kind === 'choice' ? receiver : null;
    case 'lower':
    case 'toLowerCase':
    case 'downcase':
      return text === null ? null : textValue(text.toLowerCase());
    case 'upper':
    case 'toUpperCase':
    case 'upcase':
      return text === null ? null : textValue(text.toUpperCase());
    case 'reverse':
    case 'reversed':
      if (text !== null) return textValue([...text].reverse().join(''));
      return receiver.kind === 'list' ? listValue([...receiver.items].reverse(), receiver.isOpen) : null;
    case 'split':
      return text !== null && text.length < 4_000
        ? listValue((first === null ? text.trim().split(/\s+/) : text.split(first)).map(textValue))
        : null;
    case 'concat':
      return receiver.kind === 'text' ? joinedTexts([receiver, ...args]) : null;
    case 'unpack1':
    case 'unpack':
      return text !== null && /^m/.test(first ?? '') ? decoded(text, 'base64') : null;
    case 'map':
    case 'collect':
    case 'flatMap': {
      const [callback] = args;
      return receiver.kind === 'list' && callback
        ? listValue(
            receiver.items.map((item) => host.invoke(callback, [item])),
            receiver.isOpen,
          )
        : null;
    }
    case 'filter':
    case 'sort':
    case 'sorted':
    case 'slice':
    case 'concatenated':
    case 'uniq':
    case 'compact':
    case 'flat':
    case 'flatten':
    case 'to_a':
      return receiver.kind === 'list' || (receiver.kind === 'instance' && receiver.type === 'Paths') ? receiver : null;
    case 'append':
    case 'push':
    case 'extend':
    case 'add':
      return receiver.kind === 'list' ? UNKNOWN : null;
    case 'get':
    case 'fetch':
      return receiver.kind === 'map' && first !== null ? (receiver.entries.get(first) ?? args[1] ?? UNKNOWN) : null;
    default:
      return null;
  }
}

const textOrNull = (value: Value): Value | null =>
  optionsOf(value).some(({ kind }) => kind === 'text') ? unknownValue('text') : null;

/** `'{} {0} {name}'.format(…)`. */
function braceFormat(text: string, args: readonly Value[]): Value {
  let next = 0;
  let out = exactWord('');
  let from = 0;
  for (const match of text.matchAll(/\{(\d*)(?:[!:][^}]*)?\}/g)) {
    const at = match[1] === '' || match[1] === undefined ? next++ : Number(match[1]);
    out = concatenated(concatenated(out, exactWord(text.slice(from, match.index))), wordOf(args[at] ?? UNKNOWN));
    from = match.index + match[0].length;
  }
  return wordValue(concatenated(out, exactWord(text.slice(from))));
}

/** `sprintf(form, values…)` of PHP and Perl; the values may be one list. */
export function formattedText([form, ...rest]: readonly Value[]): Value {
  const text = knownText(form);
  if (text === null) return UNKNOWN;
  const [first] = rest;
  const values = first?.kind === 'list' && rest.length === 1 ? first.items : rest;
  return joinedTexts(
    text
      .split(/%[-+0-9.']*[sdufx]/)
      .flatMap((piece, at) => (at === 0 ? [textValue(piece)] : [values[at - 1] ?? UNKNOWN, textValue(piece)])),
  );
}

/** A constant in a coding, decoded; unknown when it does not decode. */
export function decoded(text: string, coding: 'base64' | 'hex' | 'rot13' | 'url'): Value {
  switch (coding) {
    case 'base64': {
      const bytes = fromBase64(text);
      return bytes === null ? UNKNOWN : textValue(utf8(bytes) ?? bytes);
    }
    case 'hex':
      return textValue(utf8(fromHex(text)) ?? fromHex(text));
    case 'rot13':
      return textValue(text.replace(/[a-z]/gi, (letter) => rotated(letter)));
    case 'url':
      return textValue(
        utf8(
          text
            .replaceAll('+', ' ')
            .replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        ) ?? text,
      );
  }
}

/** A text cut into words as a shell does it, quotes taken off; nothing is expanded. Source: Python's shlex, Ruby's Shellwords. */
export const shellWords = (text: string): readonly string[] =>
  [...text.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs)].map(([word]) =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_all, plain?: string, quoted?: string, escaped?: string) =>
        plain ?? quoted?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
    ),
  );

function rotated(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
}
