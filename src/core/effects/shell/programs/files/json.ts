import type { ProgramEntry, Run } from '../../run.js';
import { isSecretName } from '../../secretNames.js';
import { argumentsOf, rows } from '../helpers.js';
import { parseOptions } from '../options.js';
import { expressionEmpties } from './emptying.js';
import { isStandardInput } from './filters.js';

/** `jq`: a filter, then files. `--arg` takes two words, which the shared parser does not know. Source: jq 1.7. */
function jq(run: Run): void {
  const files: typeof words = [];
  const words = [...argumentsOf(run.invocation)];
  let hasFilter = false;
  let takesArguments = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) break;
    if (/^--(arg|argjson)$/.test(word.text)) at += 2;
    else if (/^--(slurpfile|rawfile|argfile)$/.test(word.text)) {
      const file = words[at + 2];
      if (file) run.read(file);
      at += 2;
    } else if (/^(-f|--from-file)$/.test(word.text)) {
      const file = words[at + 1];
      if (file) run.read(file);
      hasFilter = true;
      at += 1;
    } else if (/^(-L|--indent|--library-path)$/.test(word.text)) at += 1;
    else if (/^--(args|jsonargs)$/.test(word.text)) takesArguments = true;
    else if (word.text.startsWith('-') && word.text.length > 1) continue;
    else if (!hasFilter) {
      hasFilter = true;
      environmentIn(run, word.text);
    } else if (!takesArguments && !isStandardInput(word)) files.push(word);
  }
  for (const file of files) run.read(file);
}

/** `env.TOKEN`, `$ENV.TOKEN` in a filter read variables. */
function environmentIn(run: Run, text: string): void {
  if (!/\$ENV\b|\benv\b/.test(text)) return;
  const names = [...text.matchAll(/(?:\$ENV|\benv)\s*(?:\.(\w+)|\["(\w+)"\])/g)].map(
    ([, dot, bracket]) => dot ?? bracket ?? '*',
  );
  for (const name of names.length > 0 ? names : ['*']) {
    run.emit('read', { type: 'environment', name }, { traits: name === '*' || isSecretName(name) ? ['secret'] : [] });
  }
}

/** `yq` and its kin: the first operand that is no file is the expression; `-i` writes back. Source: yq 4, dasel 2. */
function yq(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-i|--inplace|--in-place -n|--null-input -r|--unwrapScalar -e|--exit-status -N|--no-doc -P|--prettyPrint -C|--colors -M|--no-colors -s -y -Y -t -j|--tojson -V|--version -h|--help -0',
      values:
        '-o|--output-format -p|--input-format -I|--indent -f|--from-file|--front-matter --arg --header-preprocess --expression --split-exp -w --xml-root',
    },
    argumentsOf(run.invocation),
  );
  if (parsed.has('-h', '-V')) return;
  const operands = parsed.operands.filter(
    ({ text }) => !/^(e|ea|eval|eval-all|r|read|w|write|m|merge|select|put|delete|shell-completion)$/.test(text),
  );
  const source = parsed.value('-f');
  if (source && source.text !== 'extract') run.read(source);
  const isExpression = (text: string): boolean => /^[.[({$]|[|=]|\bload\b|\(/.test(text);
  const [expressionWord] = operands;
  const isReplaced = operands.length > 1 && expressionEmpties(expressionWord?.text ?? '');
  operands.forEach((word, at) => {
    if (at === 0 && operands.length > 1 && !parsed.has('--expression')) {
      expression(run, word.text);
      return;
    }
    if (operands.length === 1 && isExpression(word.text) && !/\.(ya?ml|json|toml|xml|csv)$/.test(word.text)) {
      expression(run, word.text);
      return;
    }
    if (isStandardInput(word)) return;
    run.read(word);
    if (parsed.has('-i')) run.write(word, isReplaced ? {} : { traits: ['edit'] });
  });
}

function expression(run: Run, text: string): void {
  environmentIn(run, text.replace(/\b(str)?env\((\w+)\)/g, 'env.$2'));
  for (const [, file] of text.matchAll(/\bload\w*\("([^"]+)"\)/g)) {
    if (file !== undefined) run.read({ text: file, raw: file, certainty: 'exact', quoted: true });
  }
}

/** Programs that query structured text. */
export const querying: readonly ProgramEntry[] = [
  ...rows('jq|gojq|jaq|jello|fx', jq),
  ...rows('yq|dasel tomlq xq', yq),
];
