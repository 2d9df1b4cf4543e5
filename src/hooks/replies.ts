import type { HookAnswer, HookReply } from './hookEvent.js';

/** A reply that says nothing: the host goes on by its own rules. Only for events that are no question. */
export const SILENT: HookReply = { stdout: '{}', stderr: '', exitCode: 0 };

/** JSON on standard output, exit code 0. */
export const json = (value: object): HookReply => ({ stdout: JSON.stringify(value), stderr: '', exitCode: 0 });

/** JSON and exit code 2, for hosts that read either as a block: a host that misses one form hears the other. */
export const blocked = (value: object, reason: string): HookReply => ({
  stdout: JSON.stringify(value),
  stderr: reason,
  exitCode: 2,
});

/**
 * The form that VS Code, Claude Code and Codex share. Keys without a value are left out, since Codex refuses unknown ones. Where
 * the input is changed, the person sees it as a message and the agent as context: neither reads the reason of an "allow".
 */
export function hookSpecificOutput(answer: HookAnswer): object {
  const isChanged = answer.updatedInput !== null;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: answer.verdict,
      permissionDecisionReason: answer.reason,
      ...(isChanged ? { updatedInput: answer.updatedInput, additionalContext: answer.reason } : {}),
    },
    ...(isChanged ? { systemMessage: answer.reason } : {}),
  };
}

/** A refusal with a reason, for when nothing could be decided. */
export const denial = (reason: string): HookAnswer => ({ verdict: 'deny', reason, updatedInput: null });

/** For hosts that cannot be handed a changed input, and would run the first form: a denial that tells the changed one. */
export const withoutChange = (answer: HookAnswer): HookAnswer =>
  answer.updatedInput === null
    ? answer
    : { verdict: 'deny', reason: `${answer.reason} Propose it in that form.`, updatedInput: null };

/** What an agent hears beside the reason when nobody was there to be asked. */
export const NEEDS_PERSON = 'A person has to allow it first: in the editor, or by a rule in .lacuna/policy.yaml.';

/**
 * For hosts that know no "ask", and call the tool when they hear one: a denial that says how a person can allow it.
 */
export const withoutAsk = (answer: HookAnswer): HookAnswer =>
  answer.verdict === 'ask'
    ? {
        verdict: 'deny',
        updatedInput: null,
        reason: `${answer.reason} ${NEEDS_PERSON}`,
      }
    : answer;
