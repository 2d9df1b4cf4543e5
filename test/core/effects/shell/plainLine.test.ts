import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import { TreeSitter } from '../../../../src/adapters/treeSitter.js';
import { readPlainLine } from '../../../../src/core/effects/shell/bash/plainLine.js';
import { wasmFolder } from '../../../support/wasm.js';

interface Cases {
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

const cases = parse(readFileSync(new URL('./plainLine.cases.yaml', import.meta.url), 'utf8')) as Cases;

/** Generated lines a run, and how many of these must be plain. By hand: `PLAIN_LINES=500000 npx mocha …`. */
const LINES = Number(process.env['PLAIN_LINES'] ?? 8_000);
const LEAST_TAKEN = LINES / 4;

const PRINTABLE = Array.from({ length: 0x7f - 0x20 }, (_unused, at) => String.fromCharCode(0x20 + at));
/** Blanks, letters and halves of letters that one program takes for something that another does not. */
const UNUSUAL = ['\t', '\n', '\r', '\f', '\v', '\u0000', '\u0085', '\u00a0', '\u2028', '\u3000', '\ufeff', '\u200b'];
const LETTERS = ['é', 'ß', '漢', '😀', 'e\u0301', '\ud800', '\udc00', 'ſ', 'K', '１'];
/** Words that are grammar in some place, and texts that tokens of the grammar begin with. */
const KNOWN =
  `if then elif else fi for while until do done case esac in select function time coproc export declare typeset readonly
  local unset unsetenv let test eval set cd exec true [ ] [[ ]] { } {} ( ) (( )) ! - -- + = == != =~ =a a= a=b A=1 a+=1 a[0]=1 a:b a@b
  a%b a#b a^b a~b a,b a?b a*b ~ ~a ~/a . .. / // ./a /a/b 0 1 00 01 10 -1 -01 0x1 -0x1 0X1 10# 10#3 1.5 1a -a -e -eq -nt -f -z
  1: _ _a a_1 *a ?a @a +a ?(a) *(a) @(a|b) a..b {a,b} {1..3} a{ }b \\ \\; \\a a\\b $ $a $? \${a} $'a' $"a" $((1)) \`a\` % %a ^ ^a : :a , #a
  1> 2> 0> EOF <<EOF <<< <( >( |& ;; ;& >| <> >&- <&- >&1 2>&1 <&0 &>a`.split(/\s+/);

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });
const anyOf = (texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const textOf = (units: fc.Arbitrary<string>, maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc.string({ unit: units, minLength, maxLength });

const UNIT = fc.oneof(often(30, anyOf(PRINTABLE)), often(1, anyOf(UNUSUAL)), often(1, anyOf(LETTERS)));
const QUIET = anyOf([...'abz09 .,:;/=-_!#*?~^%@+|&<>(){}[]', '\\a', '\\(', '\\|', '\\n', '\n', "'", 'é', '😀']);
const BARE = anyOf([...'aabzZ019..//--__:@%+,=*?~^']);
const quoted = (quote: string, text: string): string => quote + text.replaceAll(quote, '') + quote;
const QUOTED = fc
  .tuple(
    anyOf(['"', "'"]),
    fc.oneof(often(9, textOf(QUIET, 12)), often(1, textOf(UNIT, 6)), often(1, textOf(anyOf([' ', '\n', 'a']), 5))),
  )
  .map(([quote, text]) => quoted(quote, text));
const OPTION = fc
  .tuple(anyOf(['-', '--', '']), textOf(anyOf([...'abz-_']), 5, 1), anyOf(['=', '', '==']))
  .map((parts) => parts.join(''));

/** What stands where a word may stand: mostly one, at times several pieces that touch, at times no word at all. */
const WORD = fc.oneof(
  often(14, fc.stringMatching(/^-{0,2}[a-z]{1,5}[0-9]?$/)),
  often(12, textOf(BARE, 5, 1)),
  often(10, QUOTED),
  often(
    3,
    fc.tuple(OPTION, QUOTED).map((parts) => parts.join('')),
  ),
  often(1, anyOf(KNOWN)),
  often(1, textOf(UNIT, 3, 1)),
  often(
    1,
    fc
      .array(fc.oneof(QUOTED, textOf(BARE, 3, 1), anyOf(KNOWN)), { minLength: 2, maxLength: 3 })
      .map((parts) => parts.join('')),
  ),
);
const NAME = fc.oneof(
  often(12, fc.stringMatching(/^[a-z]{1,4}$/)),
  often(3, fc.stringMatching(/^[A-Za-z_./][\w./-]{0,4}$/)),
  often(1, WORD),
);
const BLANK = fc.oneof(
  often(30, anyOf([' '])),
  often(3, anyOf(['  ', '\t', ' \t'])),
  often(1, anyOf(['', '\\\n', ...UNUSUAL])),
);
const OPERATOR = fc.oneof(
  often(12, anyOf(['>', '>>', '2>', '2>>', '&>', '&>>', '<', '>&', '2>&', '1>&', '2<'])),
  often(1, anyOf(['>|', '<>', '0>', '10>', '<<', '<<<', '>&-', '2>&-', '<&', '&>>>', '2&>', '-1>'])),
);
const REDIRECTION = fc
  .tuple(OPERATOR, anyOf(['', ' ', ' ', '\t']), fc.oneof(WORD, anyOf(['1', '/dev/null', 'a'])))
  .map((parts) => parts.join(''));
const COMMAND = fc
  .tuple(
    NAME,
    fc.array(fc.tuple(BLANK, WORD), { maxLength: 3 }),
    fc.oneof(often(4, fc.constant([])), often(1, fc.array(fc.tuple(BLANK, REDIRECTION), { maxLength: 2 }))),
    fc.oneof(often(20, fc.constant('')), often(1, anyOf([' b', ' "b"', ' # b', ' >', ' &']))),
  )
  .map(([name, words, redirections, end]) => [name, ...words.flat(), ...redirections.flat(), end].join(''));
const JOINT = fc.oneof(
  often(
    10,
    anyOf([' && ', '&&', ' || ', ' | ', '|', '; ', ';', '\n', '\n\n', ' &&\n', ' |\n ', ' & ', '&', ' ;\n', '\n \n']),
  ),
  often(1, anyOf([' |& ', ';;', '; ;', '&&&', '|||', '\n&&', '\n|', ' \\\n', ' # c\n', '\r\n', '& &', ';&'])),
);
const LINE = fc
  .tuple(
    fc.oneof(often(12, fc.constant('')), often(1, anyOf([' ', '\n', '\t', '\n \n', '# a\n', ...UNUSUAL]))),
    COMMAND,
    fc.oneof(
      often(9, fc.array(fc.tuple(JOINT, COMMAND), { maxLength: 4 })),
      often(1, fc.array(fc.tuple(JOINT, COMMAND), { maxLength: 12 })),
    ),
    fc.oneof(
      often(8, fc.constant('')),
      often(2, anyOf([' ', '\n', ';', '; ', ' &', '\n\n', ' \n ', ' #', ' \\', '\t'])),
    ),
  )
  .map(([start, first, rest, end]) => start + first + rest.flat().join('') + end);

describe('plain lines', () => {
  const grammar = new TreeSitter(wasmFolder);
  before(() => grammar.load('bash'));

  /** Whether a line is plain. Then its tree is the grammar's, node for node. */
  function isTaken(text: string): boolean {
    const plain = readPlainLine(text);
    if (plain !== null) assert.deepEqual(plain, grammar.parse('bash', text), JSON.stringify(text));
    return plain !== null;
  }

  for (const text of cases.taken) it(`takes ${JSON.stringify(text)}`, () => assert.ok(isTaken(text)));
  for (const text of cases.left)
    it(`leaves ${JSON.stringify(text)} to the grammar`, () => assert.equal(readPlainLine(text), null));

  it('makes of generated lines what the grammar makes of them @slow', function () {
    this.timeout(10_000 + LINES * 10);
    let taken = 0;
    fc.assert(
      fc.property(LINE, (text) => {
        if (isTaken(text)) taken += 1;
      }),
      { numRuns: LINES },
    );
    assert.ok(taken >= LEAST_TAKEN, `only ${String(taken)} of ${String(LINES)} lines were plain`);
  });

  it('makes the same of every order of commands, operators and redirections', function () {
    this.timeout(60_000);
    const parts = [' && a', ' || a', ' | a', '; a', '\na', ' & a', ' > a'];
    const texts = Array.from({ length: 5 }).reduce<readonly string[]>(
      (before) => ['a', ...before.flatMap((text) => parts.map((part) => text + part))],
      ['a'],
    );
    assert.ok(texts.filter(isTaken).length > 10_000);
  });

  it('leaves what is long to the grammar, and takes no time for it', () => {
    assert.equal(readPlainLine(`echo ${'a '.repeat(3_000)}`), null);
    assert.equal(readPlainLine(`echo ${'a '.repeat(1_000)}`), null);
    assert.equal(readPlainLine(`echo "${' '.repeat(4_000)}`), null);
  });
});
