import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Message } from '../../../src/core/agent/brain.js';
import { Conversation, textOf } from '../../../src/core/agent/context.js';
import { clip } from '../../../src/core/agent/answer.js';
import { estimateTokens } from '../../../src/core/agent/tokens.js';

const count = (text: string): number => text.length;
const size = (messages: readonly Message[]): number => messages.reduce((sum, m) => sum + count(textOf(m)) + 4, 0);

function fill(conversation: Conversation, turns: number, length: number): void {
  for (let turn = 0; turn < turns; turn += 1)
    conversation.turn(
      { role: 'brain', text: '', calls: [{ id: `c${turn}`, name: 'f', input: { ok: true, value: {} } }] },
      [{ callId: `c${turn}`, text: `${turn}:${'x'.repeat(length)}`, summary: `f ${turn}: DONE` }],
    );
}

const begun = (maxTokens: number): Conversation => {
  const conversation = new Conversation(maxTokens, count);
  conversation.pin({ role: 'rules', text: 'RULES' });
  conversation.pin({ role: 'person', text: 'REQUEST' });
  return conversation;
};

describe('a conversation in bounds', () => {
  it('keeps everything while there is room', () => {
    const conversation = begun(10_000);
    fill(conversation, 5, 100);
    assert.equal(conversation.elidedTurns, 0);
    assert.equal(conversation.messages().length, 12);
  });

  it('sums up the oldest results first', () => {
    const conversation = begun(2_000);
    fill(conversation, 6, 400);
    const answers = conversation
      .messages()
      .flatMap((m) => (m.role === 'answers' ? m.answers.map(({ text }) => text) : []));
    assert.match(answers[0] ?? '', /^f 0: DONE\n\[Left out/);
    assert.match(answers.at(-1) ?? '', /^5:xxx/);
  });

  it('stays within bounds however long it gets, even when the newest results alone are too large', () => {
    for (const length of [50, 400, 3_000, 50_000]) {
      const conversation = begun(4_000);
      for (let turn = 0; turn < 40; turn += 1) {
        fill(conversation, 1, length);
        assert.ok(size(conversation.messages()) <= 4_000, `${length}: ${size(conversation.messages())}`);
      }
    }
  });

  it('never loses the rules, the request or the plan, and never parts a call from its answer', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { maxLength: 40 }), (lengths) => {
        const conversation = begun(3_000);
        conversation.setPlan('THE PLAN');
        for (const length of lengths) fill(conversation, 1, length);
        const messages = conversation.messages();
        assert.deepEqual(messages[0], { role: 'rules', text: 'RULES' });
        assert.deepEqual(messages[1], { role: 'person', text: 'REQUEST' });
        const isCut = messages.filter(({ role }) => role === 'brain').length < lengths.length;
        if (isCut) assert.ok(messages.some((m) => m.role === 'person' && m.text.includes('THE PLAN')));
        messages.forEach((message, at) => {
          if (message.role === 'brain') assert.equal(messages[at + 1]?.role, 'answers');
        });
      }),
    );
  });

  it('is the same for the same conversation', () => {
    const make = (): readonly Message[] => {
      const conversation = begun(2_000);
      fill(conversation, 12, 300);
      return conversation.messages();
    };
    assert.deepEqual(make(), make());
  });
});

describe('a clipped text', () => {
  it('keeps both ends, says how much is missing, and is not much longer than asked', () => {
    const text = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n');
    const clipped = clip(text, 900);
    assert.ok(clipped.startsWith('line 0\n') && clipped.endsWith('line 499'));
    assert.match(clipped, /\[… \d+ characters left out …\]/);
    assert.ok(clipped.length < 960);
    assert.equal(clip('short', 900), 'short');
  });
});

describe('an estimate of tokens', () => {
  it('is rather too high than too low', () => {
    assert.equal(estimateTokens(''), 0);
    assert.ok(estimateTokens('The quick brown fox jumps over the lazy dog.') >= 10);
    assert.ok(estimateTokens('折扣测试失败了') >= 7);
  });
});
