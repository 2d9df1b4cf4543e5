import assert from 'node:assert/strict';
import { isLocal, openAiBrain, whyNotUsable, type Endpoint } from '../../../src/adapters/openai/brain.js';
import type { BrainPart, BrainRequest } from '../../../src/core/agent/brain.js';
import { ApiServer, chunk, cut, DONE, error, hang, STOP, stream, text, usage, type Script } from './server.js';

const REQUEST: BrainRequest = {
  messages: [
    { role: 'rules', text: 'the rules' },
    { role: 'person', text: 'do it' },
    {
      role: 'brain',
      text: '',
      calls: [
        { id: 'a', name: 'f', input: { ok: true, value: { x: 1 } } },
        { id: 'b', name: 'f', input: { ok: false, error: { raw: '{"x":' } } },
      ],
    },
    {
      role: 'answers',
      answers: [
        { callId: 'a', text: 'one' },
        { callId: 'b', text: 'two' },
      ],
    },
  ],
  tools: [{ name: 'f', description: 'does f', schema: { type: 'object', properties: { x: { type: 'number' } } } }],
  choice: 'free',
};
const KEY = 'sk-test-0123456789';

describe('a model behind an OpenAI-compatible endpoint, over HTTP', () => {
  const server = new ApiServer();
  before(() => server.start());
  after(() => server.stop());

  const endpoint = (more: Partial<Endpoint> = {}): Endpoint => ({
    baseUrl: server.baseUrl,
    model: 'm1',
    maxInputTokens: 1000,
    maxOutputTokens: null,
    firstByteMs: 2_000,
    idleMs: 2_000,
    retries: 2,
    backOffMs: 1,
    ...more,
  });

  async function parts(
    scripts: readonly Script[],
    more: Partial<Endpoint> = {},
    controller = new AbortController(),
    key = KEY,
  ): Promise<BrainPart[]> {
    server.play(...scripts);
    const heard: BrainPart[] = [];
    for await (const part of openAiBrain(endpoint(more), async () => key).respond(REQUEST, controller.signal))
      heard.push(part);
    return heard;
  }
  const callsOf = (heard: readonly BrainPart[]): unknown[] => heard.flatMap((p) => (p.type === 'call' ? [p.call] : []));
  const textOf = (heard: readonly BrainPart[]): string =>
    heard.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  function failure(heard: readonly BrainPart[]): Extract<BrainPart, { type: 'failed' }> {
    const last = heard.at(-1);
    assert.ok(last?.type === 'failed', `expected a failure, got ${JSON.stringify(heard)}`);
    assert.ok(!last.message.includes(KEY), 'the key is never repeated');
    return last;
  }

  it('asks in the words of the API', async () => {
    await parts([stream(text('hi'), STOP, DONE)]);
    const [seen] = server.seen;
    assert.equal(seen?.path, '/v1/chat/completions');
    assert.equal(seen?.headers.authorization, `Bearer ${KEY}`);
    assert.equal(seen?.headers['openai-organization'], undefined);
    assert.equal(seen?.body.model, 'm1');
    assert.equal(seen?.body.stream, true);
    assert.deepEqual(
      seen?.body.messages?.map(({ role, content, tool_call_id }) => [role, content, tool_call_id]),
      [
        ['system', 'the rules', undefined],
        ['user', 'do it', undefined],
        ['assistant', null, undefined],
        ['tool', 'one', 'a'],
        ['tool', 'two', 'b'],
      ],
    );
    assert.deepEqual(seen?.body.messages?.[2]?.tool_calls, [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'b', type: 'function', function: { name: 'f', arguments: '{"unreadable":"{\\"x\\":"}' } },
    ]);
    assert.equal(seen?.body.tools?.[0]?.function.name, 'f');
  });

  it('sends no authorization when there is no key', async () => {
    await parts([stream(text('hi'), STOP, DONE)], {}, undefined, '');
    assert.equal(server.seen[0]?.headers.authorization, undefined);
  });

  it('streams text and usage, split inside lines and inside characters', async () => {
    const bytes = Buffer.from([text('Grüße, '), text('世界'), STOP, usage(12, 5), DONE].join(''));
    const pieces = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
    const heard = await parts([stream(...pieces)]);
    assert.equal(textOf(heard), 'Grüße, 世界');
    assert.deepEqual(heard.at(-1), { type: 'usage', usage: { inputTokens: 12, outputTokens: 5 } });
  });

  describe('tool calls', () => {
    const piece = (
      index: number | undefined,
      id: string | undefined,
      name: string | undefined,
      args: unknown,
    ): string => chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
    const CALLED = chunk({}, 'tool_calls');

    it('two at once, their arguments split at odd places and mixed', async () => {
      const heard = await parts([
        stream(
          text('Looking. '),
          piece(0, 'c0', 'read', ''),
          piece(0, undefined, undefined, '{"pa'),
          piece(1, 'c1', 'list', '{'),
          piece(0, undefined, undefined, 'th":"a\\'),
          piece(1, undefined, undefined, '}'),
          piece(0, undefined, undefined, 'n\\"b"}'),
          CALLED,
          DONE,
        ),
      ]);
      assert.deepEqual(callsOf(heard), [
        { id: 'c0', name: 'read', input: { ok: true, value: { path: 'a\n"b' } } },
        { id: 'c1', name: 'list', input: { ok: true, value: {} } },
      ]);
    });
    it('without an index, as some servers send them', async () => {
      const heard = await parts([
        stream(
          piece(undefined, 'c0', 'read', '{"path":'),
          piece(undefined, undefined, undefined, '"a"}'),
          piece(undefined, 'c1', 'read', '{"path":"b"}'),
          CALLED,
          DONE,
        ),
      ]);
      assert.deepEqual(callsOf(heard), [
        { id: 'c0', name: 'read', input: { ok: true, value: { path: 'a' } } },
        { id: 'c1', name: 'read', input: { ok: true, value: { path: 'b' } } },
      ]);
    });
    it('with arguments as an object, a repeated name, and no arguments at all', async () => {
      const heard = await parts([
        stream(
          piece(0, 'c0', 'read', { path: 'a' }),
          piece(1, 'c1', 'list', undefined),
          piece(1, 'c1', 'list', undefined),
          CALLED,
          DONE,
        ),
      ]);
      assert.deepEqual(callsOf(heard), [
        { id: 'c0', name: 'read', input: { ok: true, value: { path: 'a' } } },
        { id: 'c1', name: 'list', input: { ok: true, value: {} } },
      ]);
    });
    for (const args of ['{"path": "a', '["a"]', '"a"', 'null', 'path=a'])
      it(`whose arguments are no JSON object stay raw: ${args}`, async () => {
        const heard = await parts([stream(piece(0, 'c0', 'read', args), CALLED, DONE)]);
        assert.deepEqual(callsOf(heard), [{ id: 'c0', name: 'read', input: { ok: false, error: { raw: args } } }]);
      });
    it('are not given out when the stream is cut before its end', async () => {
      const heard = await parts([cut(piece(0, 'c0', 'delete', '{"path":"a"}'))], { retries: 0 });
      assert.deepEqual(callsOf(heard), []);
      assert.equal(failure(heard).why, 'cut-off');
    });
    it('are not given out when the output limit ended them', async () => {
      const heard = await parts([stream(piece(0, 'c0', 'delete', '{"path":"a"}'), chunk({}, 'length'), DONE)]);
      assert.deepEqual(callsOf(heard), []);
      assert.equal(failure(heard).why, 'too-long');
    });
  });

  describe('failures, each with its own reason', () => {
    const cases: readonly [string, Script, string, RegExp][] = [
      ['wrong key', error(401, `Incorrect API key provided: ${KEY}`), 'wrong-key', /Lacuna: Set API Key.*\[key\]/],
      ['no permission', error(403, 'not for you'), 'no-permission', /not for you/],
      ['unknown model', error(404, 'model m1 does not exist'), 'unknown-model', /no model "m1".*lacuna\.model\.names/],
      ['unknown model, as a bad request', error(400, 'invalid model: m1 not found'), 'unknown-model', /m1/],
      ['no tool calling', error(400, 'm1 does not support tools'), 'no-tool-calling', /Pick another model/],
      ['too long', error(400, "This model's maximum context length is 8192 tokens"), 'too-long', /too long/],
      ['anything else', error(422, 'temperature must be a number'), 'other', /temperature/],
      ['no quota', error(429, 'You exceeded your quota', {}, 'insufficient_quota'), 'rate-limited', /no quota left/],
      ['content filter', stream(chunk({}, 'content_filter'), DONE), 'refused', /withheld/],
    ];
    for (const [note, script, why, message] of cases)
      it(`${note}: not asked again`, async () => {
        const last = failure(await parts([script]));
        assert.equal(last.why, why);
        assert.match(last.message, message);
        assert.equal(server.seen.length, 1);
      });

    it('an error in the middle of the stream', async () => {
      const broken = `data: ${JSON.stringify({ error: { message: 'the GPU fell off' } })}\n\n`;
      const last = failure(await parts([stream(text('a'), broken)]));
      assert.match(last.message, /the GPU fell off/);
    });
    it('a stream that is no JSON', async () => {
      const last = failure(await parts([stream('data: {"choices": [\n\n')], { retries: 0 }));
      assert.equal(last.why, 'malformed');
    });
    it('a page instead of a stream', async () => {
      const page: Script = (response) => void response.end('<html>welcome</html>');
      const last = failure(await parts([page], { retries: 0 }));
      assert.equal(last.why, 'malformed');
      assert.match(last.message, /usually ends in \/v1/);
    });
    it('a dead endpoint', async () => {
      const gone = new ApiServer();
      await gone.start();
      const { baseUrl } = gone;
      await gone.stop();
      const last = failure(await parts([], { baseUrl, retries: 0 }));
      assert.equal(last.why, 'unreachable');
      assert.match(last.message, /ECONNREFUSED.*lacuna\.model\.baseUrl/);
    });
    it('a silent server', async () => {
      const last = failure(await parts([hang()], { firstByteMs: 60, retries: 0 }));
      assert.equal(last.why, 'timed-out');
    });
    it('a server that falls silent in the middle', async () => {
      const heard = await parts([hang(text('half'))], { idleMs: 60, retries: 0 });
      assert.equal(textOf(heard), 'half');
      assert.equal(failure(heard).why, 'timed-out');
    });
    it('a slow server that keeps sending is no failure', async () => {
      const slow: Script = async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const word of ['a', 'b', 'c', 'd', 'e']) {
          response.write(text(word));
          await new Promise((resolve) => setTimeout(resolve, 40));
        }
        response.end(STOP + DONE);
      };
      assert.equal(textOf(await parts([slow], { firstByteMs: 120, idleMs: 120, retries: 0 })), 'abcde');
    });
  });

  describe('trying again', () => {
    const good = stream(text('fine'), STOP, DONE);
    for (const [note, bad] of [
      ['429', error(429, 'slow down', { 'retry-after-ms': '1' })],
      ['500', error(500, 'oops')],
      ['503', error(503, 'busy', { 'retry-after': '0' })],
      ['a broken connection', cut()],
    ] as const)
      it(`after ${note}, until it works`, async () => {
        assert.equal(textOf(await parts([bad, bad, good])), 'fine');
        assert.equal(server.seen.length, 3);
      });
    it('says before each wait why there is no answer yet', async () => {
      const heard = await parts([error(429, 'slow down', { 'retry-after-ms': '1' }), error(500, 'oops'), good]);
      const told = heard.flatMap((part) => (part.type === 'asking-again' ? [[part.why, part.message]] : []));
      assert.deepEqual(
        told.map(([why]) => why),
        ['rate-limited', 'server-error'],
      );
      assert.match(told[0]?.[1] ?? '', /asked too often \(429\)/);
    });
    it('ends with the last failure', async () => {
      const last = failure(await parts([error(503, 'busy')]));
      assert.equal(last.why, 'server-error');
      assert.equal(server.seen.length, 3);
    });
    it('is left to the loop once something was heard', async () => {
      const heard = await parts([cut(text('half')), good]);
      assert.equal(failure(heard).why, 'cut-off');
      assert.equal(server.seen.length, 1);
    });
    it('does not wait for longer than a minute', async () => {
      const last = failure(await parts([error(429, 'later', { 'retry-after': '3600' }), good]));
      assert.equal(last.why, 'rate-limited');
      assert.equal(server.seen.length, 1);
    });
  });

  describe('cancel', () => {
    it('ends a silent request at once', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      assert.equal(failure(await parts([hang()], {}, controller)).why, 'cancelled');
    });
    it('ends a wait between tries at once', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 30);
      const heard = await parts([error(429, 'slow', { 'retry-after': '50' })], {}, controller);
      assert.equal(failure(heard).why, 'cancelled');
    });
    it('closes the connection when the listener leaves', async () => {
      let isClosed = false;
      server.play((response) => {
        response.on('close', () => (isClosed = true));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(text('a'));
      });
      for await (const part of openAiBrain(endpoint(), async () => KEY).respond(REQUEST, new AbortController().signal))
        if (part.type === 'text') break;
      for (let i = 0; i < 50 && !isClosed; i += 1) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.ok(isClosed);
    });
  });
});

describe('the address of an endpoint', () => {
  it('is on this machine or not', () => {
    for (const url of ['http://localhost:1/v1', 'http://127.0.0.1/v1', 'http://127.9.9.9/v1', 'http://[::1]:8/v1'])
      assert.equal(isLocal(url), true, url);
    for (const url of [
      'https://api.example.com/v1',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
      'x',
    ])
      assert.equal(isLocal(url), false, url);
  });
  it('takes no key in clear text over a network, no password, and no other scheme', () => {
    assert.equal(whyNotUsable('https://api.example.com/v1', KEY), null);
    assert.equal(whyNotUsable('http://127.0.0.1:11434/v1', KEY), null);
    assert.equal(whyNotUsable('http://server:11434/v1', ''), null);
    assert.match(whyNotUsable('http://server:11434/v1', KEY) ?? '', /clear text/);
    assert.match(whyNotUsable('https://me:pw@example.com/v1', '') ?? '', /password/);
    assert.match(whyNotUsable('ftp://example.com', '') ?? '', /must begin/);
    assert.match(whyNotUsable('example', '') ?? '', /no URL/);
  });
});
