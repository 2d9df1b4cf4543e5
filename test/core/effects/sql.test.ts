import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Effect } from '../../../src/core/effects/effect.js';
import { analyseSql, dialectOf } from '../../../src/core/effects/sql.js';
import type { SqlAction } from '../../../src/core/effects/sql/action.js';
import { promptCommand, type PromptAction } from '../../../src/core/effects/sql/prompt.js';
import type { Dialect } from '../../../src/core/effects/sql/tokens.js';
import { factsOf, shownEffect } from '../../support/facts.js';

interface Case {
  note: string;
  sql: string;
  dialect?: Dialect;
  want: string[];
}
const facts = factsOf();

function shown(action: SqlAction | PromptAction): string {
  if (action.type === 'file') return `file ${action.op} ${action.path}`;
  if (action.type === 'command') return `sh ${action.text}`;
  if (action.type === 'script') return `script ${action.path}`;
  const { type: _type, ...rest } = action;
  const effect: Effect = { ...rest, command: null };
  return shownEffect(effect, facts).replace(' db/', ' ');
}

const cases = parse(readFileSync(new URL('./sql.cases.yaml', import.meta.url), 'utf8')) as Case[];

describe('SQL', () => {
  for (const { note, sql, dialect, want } of cases) {
    it(note, () => assert.deepEqual(analyseSql(sql, 'db', dialect ?? 'generic').map(shown), want));
  }

  const prompts: readonly (readonly [Dialect, string, readonly string[] | null])[] = [
    ['postgres', '\\dt', []],
    ['postgres', '\\! rm -rf /', ['sh rm -rf /']],
    ['postgres', '\\o /tmp/x', ['file write /tmp/x']],
    ['postgres', '\\o |cat > x', ['sh cat > x']],
    ['postgres', '\\i setup.sql', ['script setup.sql']],
    ['postgres', "\\copy users to 'u.csv'", ['read /users +rows-unbounded', 'file write u.csv']],
    ['postgres', '\\gexec', ['unknown']],
    ['sqlite', '.tables', []],
    ['sqlite', '.shell ls', ['sh ls']],
    ['sqlite', '.output x.csv', ['file write x.csv']],
    ['sqlite', '.read a.sql', ['script a.sql']],
    ['sqlite', '.load ./x', ['unknown']],
    ['mysql', 'source a.sql', ['script a.sql']],
    ['mysql', 'system id', ['sh id']],
    ['mysql', 'pager less', ['sh less']],
    ['generic', '.shell ls', null],
    ['postgres', 'select 1', null],
  ];
  for (const [dialect, line, want] of prompts) {
    it(`${dialect} prompt: ${line}`, () => assert.deepEqual(promptCommand(line, dialect)?.map(shown) ?? null, want));
  }

  it('tells dialects by name', () => {
    assert.deepEqual(['postgres://x/y', 'data/app.sqlite3', 'mysql', 'shop'].map(dialectOf), [
      'postgres',
      'sqlite',
      'mysql',
      'generic',
    ]);
  });

  it('never throws, and takes time in proportion', () => {
    const piece = fc.constantFrom(
      'select',
      ' from ',
      'delete ',
      't',
      '(',
      ')',
      ',',
      "'",
      '"',
      '/*',
      '*/',
      '--',
      '\n',
      ';',
      '$$',
      ' where ',
      'with x as (',
      'drop table ',
      '1=1',
      ' or ',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 25 }),
        fc.constantFrom<Dialect>('postgres', 'mysql', 'sqlite', 'mssql', 'generic'),
        (pieces, dialect) => {
          analyseSql(pieces.join(''), 'db', dialect);
        },
      ),
      { numRuns: 500 },
    );
    for (const unit of [
      '(',
      'select * from (',
      "'a', ",
      '/*',
      'with x as (',
      'a.',
      ',a',
      '$a$',
      'union select 1 from t ',
    ]) {
      const before = performance.now();
      analyseSql(`select ${unit.repeat(60_000 / unit.length)}`, 'db', 'postgres');
      assert.ok(performance.now() - before < 2000, `${unit}: ${String(performance.now() - before)}`);
    }
  });
});
