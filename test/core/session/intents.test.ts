import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { asksFor, names, type Intent } from '../../../src/core/session/intents.js';

interface Case {
  readonly note: string;
  readonly text: string;
  readonly asks?: readonly Intent[];
  readonly not?: readonly Intent[];
}

const cases = parse(readFileSync(path.join(import.meta.dirname, 'intents.cases.yaml'), 'utf8')) as readonly Case[];

describe('what a person asks for', () => {
  for (const { note, text, asks = [], not = [] } of cases) {
    it(note, () => {
      assert.ok(asks.length + not.length > 0, 'a case that says nothing');
      for (const intent of asks) assert.equal(asksFor(text, intent), true, `asks for ${intent}`);
      for (const intent of not) assert.equal(asksFor(text, intent), false, `does not ask for ${intent}`);
    });
  }

  it('takes a name only as a word of its own, in any language, and not when it is to be kept off', () => {
    assert.equal(names('Bitte left-pad einbauen', 'left-pad'), true);
    assert.equal(names('left-padを入れて', 'left-pad'), true);
    assert.equal(names('use left-padder', 'left-pad'), false);
    assert.equal(names('my-left-pad is ours', 'left-pad'), false);
    assert.equal(names('anything but do not add left-pad', 'left-pad'), false);
    assert.equal(names('read docs.thing.example/start', 'docs.thing.example'), true);
    assert.equal(names('read docs.thing.example.evil.test', 'thing.example'), false);
    assert.equal(names('use it', 'it'), false);
  });
});
