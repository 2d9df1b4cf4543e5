import * as vscode from 'vscode';
import { hookSessionId } from '../hooks/sessionName.js';
import type { Guard } from './guard.js';
import type { Session } from './sessions.js';

const { t } = vscode.l10n;

/** Variable that VS Code sets in the terminals in which its agent runs commands. */
const AGENT_MARK = 'COPILOT_AGENT';

/**
 * Watches the terminals of the built-in agent: a command that runs there and that no verdict lets run (its hooks are switched off,
 * or it went another way) raises an alarm in the audit and in the session's tree, and is shown.
 */
export const watchForUnjudged = (guard: Guard): vscode.Disposable =>
  vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
    if (isOfAgent(terminal))
      void judge(guard, execution.commandLine.value).catch((error: unknown) => report(guard, error));
  });

function isOfAgent({ creationOptions }: vscode.Terminal): boolean {
  const environment = 'env' in creationOptions ? creationOptions.env : undefined;
  return environment?.[AGENT_MARK] !== undefined;
}

async function judge({ sessions }: Guard, command: string): Promise<void> {
  if (command.trim() === '' || sessions.opened.some((session) => hasLetRun(session, command))) return;
  const session = await sessions.use(hookSessionId('vscode', ''));
  await session.ledger.write({
    type: 'alarm',
    what: 'a command without a verdict',
    details: `the built-in agent ran: ${command}`,
  });
  const show = t('Show the Session');
  const answer = await vscode.window.showWarningMessage(
    t('An agent ran a command that did not come through the gate: {0}', command),
    show,
  );
  if (answer === show) await vscode.commands.executeCommand('lacuna.session.focus');
}

/** Whether a verdict of a session lets the command run. The editor may put something before it or after it. */
function hasLetRun({ ledger }: Session, command: string): boolean {
  const ran = plain(command);
  return ledger.entries.some(({ lacuna, decision }) => {
    if (decision === null || decision.verdict === 'deny') return false;
    // What policy changed may run in its changed form only.
    const permitted = decision.repair?.after ?? lacuna;
    return permitted.kind === 'ExecuteShell' && isSame(ran, plain(permitted.params.command));
  });
}

const isSame = (ran: string, permitted: string): boolean => ran === permitted || ran.endsWith(` ${permitted}`);

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

const report = ({ log }: Guard, error: unknown): void => log.error(error instanceof Error ? error : String(error));
