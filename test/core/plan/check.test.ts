import assert from 'node:assert/strict';
import { KIND_NAMES } from '../../../src/core/lacuna/kinds.js';
import { checkPlan, estimate, type PlanNote } from '../../../src/core/plan/check.js';
import { planSchema, type Plan } from '../../../src/core/plan/plan.js';
import { factsOf } from '../../support/facts.js';

const plan = (...steps: readonly object[]): Plan => planSchema.parse({ goal: 'tidy', steps });
const check = (of: Plan, lacunas: number | null = null): readonly PlanNote[] =>
  checkPlan(of, { facts: factsOf(), kinds: KIND_NAMES.filter((kind) => kind !== 'QueryDatabase'), lacunas });
const messages = (notes: readonly PlanNote[], weight: PlanNote['weight']): readonly string[] =>
  notes.filter((note) => note.weight === weight).map(({ message }) => message);

describe('a plan as a whole', () => {
  it('has nothing to say about a plain one', () => {
    const plain = plan(
      { id: 'a', task: 'read', kinds: ['ReadFile'], resources: ['src/**'] },
      { id: 'b', task: 'write', kinds: ['WriteFile'], resources: ['src/a.ts'], after: ['a'] },
    );
    assert.deepEqual(check(plain), []);
  });

  it('refuses kinds that are not permitted', () => {
    assert.match(
      messages(check(plan({ id: 'a', task: 'x', kinds: ['QueryDatabase'] })), 'refused').join(),
      /not permitted/,
    );
    assert.equal(
      planSchema.safeParse({ goal: 'x', steps: [{ id: 'a', task: 'x', kinds: ['Nothing'] }] }).success,
      false,
    );
  });

  it('refuses steps that wait for each other, for nobody, or have one name', () => {
    const round = plan({ id: 'a', task: 'x', after: ['b'] }, { id: 'b', task: 'y', after: ['a'] });
    assert.match(messages(check(round), 'refused').join(), /a → b → a|b → a → b/);
    assert.match(messages(check(plan({ id: 'a', task: 'x', after: ['z'] })), 'refused').join(), /waits for z/);
    assert.match(messages(check(plan({ id: 'a', task: 'x' }, { id: 'a', task: 'y' })), 'refused').join(), /two steps/);
  });

  it('names what lies outside, what is secret, what runs later, and refuses the guard', () => {
    const notes = check(
      plan({
        id: 'a',
        task: 'x',
        resources: ['/etc/hosts', '~/.ssh/id_rsa', '.github/workflows/ci.yml', '.lacuna/policy.yaml'],
      }),
    );
    const risks = messages(notes, 'risk').join('\n');
    assert.match(risks, /\/etc\/hosts lies outside/);
    assert.match(risks, /id_rsa is a place of secrets/);
    assert.match(risks, /ci\.yml makes something run later/);
    assert.match(messages(notes, 'refused').join(), /belongs to the guard/);
  });

  it('does not take hosts, packages and programs for paths', () => {
    assert.deepEqual(
      check(plan({ id: 'a', task: 'x', resources: ['https://a.example/x', 'npm:left-pad', 'git'] })),
      [],
    );
  });

  it('estimates what it will need, and refuses more than there is', () => {
    const long = plan(
      ...Array.from({ length: 6 }, (_, i) => ({ id: `s${i}`, task: 'x', kinds: ['ReadFile', 'HttpRequest'] })),
    );
    const needed = estimate(long);
    assert.equal(needed.lacunas, 12);
    assert.deepEqual(needed.kinds, ['ReadFile', 'HttpRequest']);
    assert.match(messages(check(long, 10), 'refused').join(), /at least 12 Lacunas, and 10/);
    assert.deepEqual(messages(check(long, 12), 'refused'), []);
  });

  it('takes a long chain of steps without growing with its square', () => {
    const chain = plan(
      ...Array.from({ length: 50 }, (_, i) => ({ id: `s${i}`, task: 'x', after: i === 0 ? [] : [`s${i - 1}`] })),
    );
    assert.deepEqual(check(chain), []);
  });
});
