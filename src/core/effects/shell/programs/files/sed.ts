import type { Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { isHarmlessDevice } from '../../../paths.js';
import { argumentsOf, rows, withText } from '../helpers.js';
import { parseOptions } from '../options.js';
import { isStandardInput } from './filters.js';
import { readSedScript } from './sedScript.js';

function sed(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-n|--quiet|--silent -E|-r|--regexp-extended -s|--separate -u|--unbuffered -z|--null-data -a --debug --posix --follow-symlinks -b|--binary --sandbox --help --version',
      values: '-e|--expression -f|--file -l|--line-length',
      optional: '-i|-I|--in-place',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('--help', '--version')) return;
  for (const word of parsed.unknown) run.unknown(`option ${word.text} of sed`);
  const given = [...parsed.values('-e')];
  for (const file of parsed.values('-f')) {
    run.read(file);
    const script = scriptIn(run, file);
    if (script) given.push(script);
    else run.unreviewed(`sed -f ${file.text}`);
  }
  const hasScript = parsed.has('-e', '-f');
  const [first, ...rest] = parsed.operands;
  // BSD sed takes the suffix of -i as a word of its own: `sed -i '' 's/a/b/' f`.
  const isBsd = parsed.has('-i') && first?.text === '' && !hasScript;
  const operands = isBsd ? rest : parsed.operands;
  const script = hasScript ? null : operands[0];
  if (script) given.push(script);
  for (const word of given) judge(run, word, parsed.has('--sandbox'));
  const isEmptying = parsed.has('-i') && empties(given, parsed.has('-n'));
  for (const path of script ? operands.slice(1) : operands) {
    if (isStandardInput(path)) continue;
    run.read(path);
    if (parsed.has('-i')) run.write(path, isEmptying ? {} : { traits: ['edit'] });
  }
}

/** Whether what is edited in place comes out empty, or as no more than a part that was picked. */
function empties(scripts: readonly Word[], isQuiet: boolean): boolean {
  const known = scripts.filter(({ certainty }) => certainty === 'exact').map(({ text }) => readSedScript(text));
  if (known.length === 0 || known.length < scripts.length || known.some(({ isUnderstood }) => !isUnderstood))
    return false;
  if (isQuiet) return known.every(({ prints }) => prints !== 'each');
  return known.some(({ takesAll }) => takesAll);
}

/** The text of a script file, where it is known. */
function scriptIn(run: Run, file: Word): Word | null {
  if (file.certainty !== 'exact') return null;
  const { cwd } = run.invocation;
  const path = file.text.startsWith('/') ? file.text : cwd === null ? null : `${cwd}/${file.text}`;
  const text = path === null ? null : run.facts.readText(path);
  return text === null ? null : withText(file, text);
}

function judge(run: Run, word: Word, isSandboxed: boolean): void {
  const script = readSedScript(word.text);
  if (isSandboxed) return;
  if (word.certainty === 'dynamic') {
    // `s/a/$X/` with an unknown X: only a value with the delimiter in it could make a command of its rest.
    const isPlain = /^[^a-zA-Z]*s(.)(?:(?!\1).)*\1(?:(?!\1).)*\1[gpiI0-9]*$/s.test(word.text);
    if (!isPlain && !/^\$?[\w${}]+(,\$?[\w${}]+)?[pdq=]$/.test(word.text))
      run.unknown(`a script of sed that is known only when it runs: ${word.raw.slice(0, 80)}`);
  }
  for (const command of script.commands) {
    if (command === null) run.unreviewed('sed: the text that is edited');
    else run.code('sh', withText(word, command));
  }
  for (const file of script.reads) if (file !== '' && !isHarmlessDevice(file, 'linux')) run.read(withText(word, file));
  for (const file of script.writes)
    if (file !== '' && !isHarmlessDevice(file, 'linux')) run.write(withText(word, file));
  if (!script.isUnderstood && word.certainty === 'exact') run.unknown(`a script of sed: ${word.text.slice(0, 80)}`);
}

/** The stream editor. */
export const editing: readonly ProgramEntry[] = rows('sed|gsed|ssed', sed);
