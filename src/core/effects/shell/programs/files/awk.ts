import type { Word } from '../../../effect.js';
import { NOTHING_KNOWN, UNKNOWN_INPUT, type LanguageEntry } from '../../frame.js';
import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { argumentsOf, rows, withText } from '../helpers.js';
import { parseOptions } from '../options.js';
import { reachesOf } from './awkScript.js';
import { awkEmpties } from './emptying.js';
import { readVariables } from './environment.js';
import { isStandardInput } from './filters.js';

/** Source: gawk 5.3, mawk 1.3.4, BSD awk. */
function awk(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-b -c|--traditional -C -g -h|--help -n|--non-decimal-data -M -N -O -P|--posix -r -s -S|--sandbox -t -V|--version --csv -k --re-interval -safe',
      values: '-f|--file -F|--field-separator -v|--assign -e|--source -E|--exec -i|--include -l|--load -W -m -mf -mr',
      optional: '-d -D -L -o -p',
      stopsAtOperand: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-h', '-V')) return;
  for (const file of [...parsed.values('-f'), ...parsed.values('-E')]) run.script('awk', file);
  for (const library of [...parsed.values('-l'), ...parsed.values('-i')]) {
    if (library.text !== 'inplace') run.unreviewed(`library ${library.text} of awk`);
  }
  const sources = parsed.values('-e');
  const isGiven = sources.length > 0 || parsed.has('-f', '-E');
  const [program, ...rest] = parsed.operands;
  const codes = isGiven ? sources : program ? [program] : [];
  if (!parsed.has('-S', '-safe')) for (const code of codes) judge(run, code);
  const isInPlace = parsed.values('-i').some(({ text }) => text === 'inplace');
  const isEmptying =
    isInPlace && codes.length > 0 && codes.every(({ text, certainty }) => certainty === 'exact' && awkEmpties(text));
  for (const word of isGiven ? parsed.operands : rest) {
    if (isStandardInput(word) || /^\w+=/.test(word.text)) continue;
    run.read(word);
    if (isInPlace) run.write(word, isEmptying ? {} : { traits: ['edit'] });
  }
}

/** Says where a program reaches outside. Text that is known only in part is judged as far as it is known. */
function judge(run: Run, code: Word): void {
  for (const { type, text } of reachesOf(code.text)) {
    const target: Word =
      text === null
        ? { text: '$_', raw: 'a value of awk', certainty: 'dynamic', quoted: true }
        : { ...withText(code, text), certainty: text.includes('$_') ? 'dynamic' : code.certainty };
    if (type === 'run') run.code('sh', target, { input: UNKNOWN_INPUT });
    else if (type === 'unknown') run.unknown(`a program of awk: ${code.text.slice(0, 80)}`);
    else if (isStream(text)) continue;
    else if (type === 'read') run.read(target);
    else run.write(target, type === 'append' ? { traits: ['append'] } : {});
  }
  for (const [, address] of code.text.matchAll(/"\/inet[46]?\/(?:tcp|udp)\/\w*\/([\w.:-]+\/\w+)"/g))
    run.network(exactWord((address ?? '').replace('/', ':')), { traits: ['upload', 'download'] });
  if (/\bENVIRON\b/.test(code.text)) {
    const names = [...code.text.matchAll(/\bENVIRON\["(\w+)"\]/g)].map(([, name]) => name ?? '');
    const others = code.text.replace(/\bENVIRON\["\w+"\]/g, '');
    readVariables(run, /\bENVIRON\b/.test(others) ? [] : names);
  }
}

const isStream = (text: string | null): boolean =>
  text !== null && /^(-|\/dev\/(stdout|stderr|stdin|null|fd\/\d+))$/.test(text);

/** awk as a language: programs in files. */
export const awkLanguage: LanguageEntry = {
  languages: ['awk'],
  analyse: ({ text }, { run }) => {
    judge(run, { text, raw: text, certainty: 'exact', quoted: true });
    return NOTHING_KNOWN;
  },
  builtins: new Map(),
  foldsCase: false,
};

/** awk and its kin. */
export const awks: readonly ProgramEntry[] = rows('awk|gawk|mawk|nawk|goawk', awk);
