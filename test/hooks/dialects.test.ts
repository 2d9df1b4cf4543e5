import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Proposal } from '../../src/core/lacuna/lacuna.js';
import { DIALECTS } from '../../src/hooks/dialects.js';
import { refusal } from '../../src/hooks/refusal.js';
import { HOOK_AGENTS, type HookAgent, type HookAnswer, type HookEvent } from '../../src/hooks/hookEvent.js';

interface Case {
  readonly note: string;
  readonly agent: HookAgent;
  readonly input: unknown;
  readonly want: readonly string[];
}
const cases = parse(readFileSync(path.join(import.meta.dirname, 'dialects.cases.yaml'), 'utf8')) as readonly Case[];

function shown(proposal: Proposal): string {
  const params: Readonly<Record<string, unknown>> = { ...proposal.params };
  const main = ['command', 'path', 'from', 'tool', 'goal', 'url', 'query']
    .map((name) => params[name])
    .find((value) => value !== undefined);
  return `${proposal.kind}: ${String(main)}`;
}

describe('hook dialects', () => {
  for (const { note, agent, input, want } of cases)
    it(`${agent}: ${note}`, () => {
      const parsed = DIALECTS[agent].parse(input);
      const got = !parsed.ok
        ? ['error']
        : 'call' in parsed.value
          ? [parsed.value.type, ...parsed.value.call.proposals.map(shown)]
          : [parsed.value.type];
      assert.deepEqual(got, want);
    });

  it('whatever comes in, nothing is thrown, and every tool call has at least one Lacuna', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HOOK_AGENTS),
        fc.anything(),
        fc.string(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (agent, junk, tool, toolInput) => {
          DIALECTS[agent].parse(junk);
          const parsed = DIALECTS[agent].parse({
            hook_event_name: agent === 'gemini' ? 'BeforeTool' : 'PreToolUse',
            session_id: 's',
            tool_name: tool,
            tool_input: toolInput,
          });
          if (parsed.ok && parsed.value.type === 'before-tool') assert.ok(parsed.value.call.proposals.length > 0);
          else assert.equal(tool, '');
        },
      ),
    );
  });

  const event: HookEvent = {
    type: 'before-tool',
    sessionId: 's',
    cwd: '/w',
    roots: [],
    subagent: null,
    callId: null,
    call: { tool: 't', input: {}, proposals: [] },
  };
  const answer = (verdict: HookAnswer['verdict']): HookAnswer => ({ verdict, reason: 'because', updatedInput: null });
  /** Whether a host that reads JSON on exit 0 or blocks on exit 2 would go on with the call. */
  const goesOn = (agent: HookAgent, verdict: HookAnswer['verdict']): boolean => {
    const reply = DIALECTS[agent].reply(event, answer(verdict));
    assert.ok([0, 2].includes(reply.exitCode), 'any other exit code means "go on" to some host');
    const isBlock =
      reply.exitCode === 2 || /"(permissionDecision|decision|permission)":"(deny|ask)"/.test(reply.stdout);
    return !isBlock;
  };

  for (const agent of HOOK_AGENTS) {
    it(`${agent}: deny and ask are never heard as "go on"`, () => {
      assert.equal(goesOn(agent, 'deny'), false);
      assert.equal(goesOn(agent, 'ask'), false);
      assert.equal(goesOn(agent, 'allow'), true);
      const refused = refusal(agent, 'broken');
      assert.match(refused.stdout, /deny/);
      assert.match(refused.stdout + refused.stderr, /broken/);
    });
  }

  it('agents that know no "ask" hear a denial that says what a person can do', () => {
    for (const agent of ['codex', 'gemini'] as const) {
      const reply = DIALECTS[agent].reply(event, answer('ask'));
      assert.equal(reply.exitCode, 2);
      assert.match(reply.stderr, /person has to allow/);
      assert.doesNotMatch(reply.stdout, /"ask"/);
    }
  });

  it('VS Code is answered in both forms and always with exit 0', () => {
    const reply = DIALECTS.vscode.reply(event, answer('deny'));
    const parsed = JSON.parse(reply.stdout) as Record<string, unknown>;
    assert.equal(reply.exitCode, 0);
    assert.equal(parsed['permissionDecision'], 'deny');
    assert.deepEqual(parsed['hookSpecificOutput'], {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'because',
    });
  });

  it('Codex hears nothing where a call may go on unchanged: a bare "allow" counts as a hook that failed', () => {
    assert.deepEqual(DIALECTS.codex.reply(event, answer('allow')), { stdout: '{}', stderr: '', exitCode: 0 });
  });

  it('Codex never gets a key it does not know', () => {
    for (const verdict of ['allow', 'ask', 'deny'] as const) {
      const { stdout } = DIALECTS.codex.reply(event, {
        ...answer(verdict),
        updatedInput: verdict === 'allow' ? { command: 'x' } : null,
      });
      const said = JSON.parse(stdout) as { readonly hookSpecificOutput: object };
      const isChanged = verdict === 'allow';
      assert.deepEqual(Object.keys(said), ['hookSpecificOutput', ...(isChanged ? ['systemMessage'] : [])]);
      assert.deepEqual(Object.keys(said.hookSpecificOutput), [
        'hookEventName',
        'permissionDecision',
        'permissionDecisionReason',
        ...(isChanged ? ['updatedInput', 'additionalContext'] : []),
      ]);
    }
  });

  it('a changed input is handed on, or the first form is refused: it is never let through as it was', () => {
    for (const agent of HOOK_AGENTS)
      for (const verdict of ['allow', 'ask'] as const) {
        const { stdout } = DIALECTS[agent].reply(event, { ...answer(verdict), updatedInput: { command: 'x' } });
        const isHanded = stdout.includes('{"command":"x"}');
        const isRefused = /"(?:permission|decision|permissionDecision)":"deny"/.test(stdout);
        assert.ok(isHanded !== isRefused, `${agent} ${verdict}: ${stdout}`);
      }
  });
});
