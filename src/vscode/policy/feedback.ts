import * as vscode from 'vscode';
import { lookAtFileSystem } from '../../adapters/facts.js';
import { fileIdentity } from '../../adapters/fileIdentity.js';
import { addRuleToFile } from '../../adapters/ruleFile.js';
import { pastContext } from '../../core/check/pastContext.js';
import { freshTerminal } from '../../core/effects/effect.js';
import type { Entry } from '../../core/gate/ledger.js';
import { ApprovedRules } from '../../core/policy/approvedRules.js';
import { proposeStop } from '../../core/policy/propose.js';
import { ruleText } from '../../core/policy/ruleText.js';
import type { RuleSpec } from '../../core/policy/schema.js';
import type { SimulatedDecision } from '../../core/policy/simulate.js';
import { wouldChange } from '../../core/policy/wouldChange.js';
import type { OpenEngine } from '../engine.js';
import type { Guard } from '../guard.js';
import { proposalWords, verdictWord } from '../words.js';
import { ruleTarget } from './ruleTarget.js';

const { t } = vscode.l10n;

/** What a person says of a decision afterwards. */
export type Says = 'false-alarm' | 'should-stop';

/** How many past sessions a rule is tried on, the newest first, and how many changes are shown. */
const MOST_SESSIONS = 30;
const MOST_SHOWN = 12;

/**
 * Takes in what a person says of a decision: it is recorded, and the narrowest rule that would have decided so is shown with what
 * else it would have changed. It is written only when the person accepts it. Resolves with the rule that was written, or null.
 */
export async function takeFeedback(guard: Guard, entry: Entry, says: Says): Promise<RuleSpec | null> {
  const session = await guard.sessions.get(entry.lacuna.sessionId);
  await session.ledger.write({ type: 'feedback', lacunaId: entry.lacuna.id, says, note: '' });
  const opened = await guard.engine();
  const target = ruleTarget(guard.roots());
  const rule = target.counts ? proposed(entry, says) : null;
  if (rule === null) {
    void vscode.window.showInformationMessage(
      says === 'false-alarm'
        ? t('Noted. No rule is proposed: what is destructive, secret or cannot be undone is asked about each time.')
        : t('Noted. No rule is proposed, since nothing in it can be named exactly.'),
    );
    return null;
  }
  const changes = changesOf(guard, opened, { layer: target.layer, rule });
  const add = t('Add This Rule');
  const choice = await vscode.window.showWarningMessage(
    t('This rule would be added to {0}.', vscode.workspace.asRelativePath(target.path)),
    { modal: true, detail: `${ruleText(rule).trimEnd()}\n\n${changeWords(changes)}` },
    add,
  );
  if (choice !== add) return null;
  await addRuleToFile(target.path, rule);
  await opened.policy.load();
  return rule;
}

/** The narrowest rule that would have decided as the person says. */
function proposed({ lacuna, analysis, decision }: Entry, says: Says): RuleSpec | null {
  if (analysis === null || decision === null) return null;
  const whole = { ...analysis, flows: [], terminal: freshTerminal(null) };
  if (says === 'should-stop') {
    const id = `stop-${lacuna.id.replace(/[^a-z0-9._-]/gi, '-')}`.slice(0, 80);
    return proposeStop([{ proposal: lacuna, analysis: whole, decision }], id);
  }
  const rules = new ApprovedRules();
  const text = rules.propose(lacuna, whole, decision);
  const rule = text === null ? null : rules.parse(text);
  return rule?.ok === true ? rule.value : null;
}

function changesOf(
  { roots }: Guard,
  { audits, policy, engine }: OpenEngine,
  added: Parameters<typeof wouldChange>[2],
): readonly SimulatedDecision[] {
  const records = audits
    .sessions()
    .slice(0, MOST_SESSIONS)
    .map(({ sessionId }) => audits.verify(sessionId).records);
  const world = {
    facts: lookAtFileSystem({ roots: roots() }),
    identity: fileIdentity,
    circumstances: engine.circumstances(),
  };
  return wouldChange(records, policy.policy, added, pastContext(policy.policy, world));
}

function changeWords(changes: readonly SimulatedDecision[]): string {
  if (changes.length === 0) return t('In past sessions it would have changed nothing else.');
  const lines = changes
    .slice(0, MOST_SHOWN)
    .map(({ lacuna, before, after }) => `${verdictWord(before)} → ${verdictWord(after)}: ${proposalWords(lacuna)}`);
  const more = changes.length > MOST_SHOWN ? [t('… and {0} more', changes.length - MOST_SHOWN)] : [];
  return [t('In past sessions it would have changed:'), ...lines, ...more].join('\n');
}
