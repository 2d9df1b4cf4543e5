import * as vscode from 'vscode';
import type { Entry } from '../../core/gate/ledger.js';
import type { Proposal } from '../../core/lacuna/lacuna.js';
import type { MatchedRule } from '../../core/policy/decision.js';
import type { Question } from '../../core/ports.js';
import type { Approvals } from '../approvals/approvals.js';
import type { Sessions } from '../sessions.js';
import {
  decidedByWord,
  effectWords,
  outcomeWords,
  proposalWords,
  reviewWords,
  riskWord,
  verdictWord,
} from '../words.js';

const { t } = vscode.l10n;

/** Scheme of the pages that tell all about one Lacuna. */
export const DETAILS = 'lacuna-details';

/** Address of a Lacuna's page. Session and Lacuna are in the query, since ids may hold any character. */
export const detailsUri = (sessionId: string, entry: Entry): vscode.Uri =>
  vscode.Uri.from({
    scheme: DETAILS,
    path: `/${proposalWords(entry.lacuna)
      .replace(/[\\/#?]/g, ' ')
      .slice(0, 60)}.md`,
    query: new URLSearchParams({ session: sessionId, lacuna: entry.lacuna.id }).toString(),
  });

/** The questions that wait, as the pages need to know them. */
export type Questions = Pick<Approvals, 'waiting' | 'onChange'>;

/**
 * Gives the editor a page of Markdown about one Lacuna, and a new one when it has gone on. Above it stand the lines by which it
 * can be answered, or, once it is decided, by which a person can say that it should have been decided otherwise.
 */
export class DetailsPages implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #sessions: Sessions;
  readonly #approvals: Questions;
  readonly #stops: readonly (() => void)[];

  constructor(sessions: Sessions, approvals: Questions) {
    this.#sessions = sessions;
    this.#approvals = approvals;
    const tell = (): void => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === DETAILS) this.#changed.fire(uri);
      this.#lensesChanged.fire();
    };
    this.#stops = [sessions.onChange(tell), approvals.onChange(tell)];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const entry = await this.#entryOf(uri);
    return entry === null
      ? t('Nothing is known of this any more. The audit has it.')
      : detailsPage(entry, this.#questionOf(entry));
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const entry = await this.#entryOf(uri);
    const top = new vscode.Range(0, 0, 0, 0);
    const commands = entry === null ? [] : commandsFor(entry, this.#questionOf(entry) !== null);
    return commands.map((command) => new vscode.CodeLens(top, command));
  }

  async #entryOf(uri: vscode.Uri): Promise<Entry | null> {
    const query = new URLSearchParams(uri.query);
    const session = await this.#sessions.get(query.get('session') ?? '');
    return session.ledger.entry(query.get('lacuna') ?? '');
  }

  #questionOf({ lacuna }: Entry): Question | null {
    return this.#approvals.waiting.find(({ question }) => question.lacuna.id === lacuna.id)?.question ?? null;
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#changed.dispose();
    this.#lensesChanged.dispose();
  }
}

/** What a person can do about a Lacuna from its page. */
function commandsFor(entry: Entry, isWaiting: boolean): vscode.Command[] {
  if (isWaiting)
    return [{ command: 'lacuna.answer', title: t('$(bell-dot)\u00a0Answer…'), arguments: [entry.lacuna.id] }];
  if (entry.decision === null || entry.progression !== 'done') return [];
  const { decision, outcome } = entry;
  const row = { type: 'lacuna', entry };
  const falseAlarm = {
    command: 'lacuna.feedback.falseAlarm',
    title: t('$(thumbsdown)\u00a0This was a false alarm…'),
    arguments: [row],
  };
  const shouldStop = {
    command: 'lacuna.feedback.shouldStop',
    title: t('$(stop)\u00a0This should have been stopped…'),
    arguments: [row],
  };
  if (outcome?.type === 'refused') return outcome.by === 'person' ? [] : [falseAlarm];
  return decision.decidedBy === 'person' ? [falseAlarm, shouldStop] : [shouldStop];
}

/**
 * Everything that is known of one Lacuna, as Markdown: what, why, by which rules, what it would do, what came of it. `question`:
 * what a person is asked about it now, with all that led there.
 */
export function detailsPage(entry: Entry, question: Question | null): string {
  const { lacuna, review, analysis, outcome, startedAtMs } = entry;
  const decision = entry.decision ?? question?.decision ?? null;
  const lines = [
    `# ${inert(proposalWords(lacuna))}`,
    '',
    `${lacuna.kind} · ${new Date(startedAtMs).toLocaleString()} · ${inert(lacuna.origin.subagent ?? lacuna.origin.agent)}`,
    '',
  ];
  const section = (title: string, body: readonly (string | Block)[]): void => {
    const text = body.flatMap((part) => (typeof part === 'string' ? inert(part) : part.lines));
    if (text.length > 0) lines.push(`## ${title}`, '', ...text, '');
  };
  section(t('What was asked for'), [
    ...(lacuna.origin.request === '' ? [] : [t('Request: {0}', quote(lacuna.origin.request)), '']),
    ...(lacuna.description === '' ? [] : [t('The agent says: {0}', quote(lacuna.description)), '']),
    ...paramsOf(lacuna),
  ]);
  if (decision !== null) {
    section(question === null ? t('Why it was decided so') : t('Why you are asked'), [
      `**${verdictWord(decision.verdict)}**, ${t('by {0}', decidedByWord(decision.decidedBy))} · ${riskWord(decision.risk)}`,
      '',
      ...decision.reason.split('\n'),
      ...(decision.advice === '' ? [] : ['', t('Advice to the agent: {0}', decision.advice)]),
      ...(review === null ? [] : ['', reviewWords(review)]),
    ]);
  }
  section(
    t('What led here'),
    (question?.chain ?? []).map((line) => `- ${line}`),
  );
  section(
    t('What it would do'),
    (analysis?.effects ?? []).map((effect) => `- ${effectWords(effect)}`),
  );
  if (outcome !== null) {
    section(t('What came of it'), [
      outcomeWords(outcome),
      ...('message' in outcome && outcome.message !== '' ? ['', outcome.message] : []),
      ...('changed' in outcome ? outcome.changed.map((file) => `- ${vscode.workspace.asRelativePath(file)}`) : []),
      ...('output' in outcome && outcome.output.text !== '' ? ['', fenced('text', outcome.output.text)] : []),
    ]);
  }
  if (decision !== null) {
    section(t('Rules that matched'), decision.rules.map(ruleLine));
    if (decision.repair !== null) {
      section(t('What policy changed'), [
        decision.repair.explanation,
        '',
        ...paramsOf(decision.repair.before),
        t('became'),
        '',
        ...paramsOf(decision.repair.after),
      ]);
    }
    if (decision.confinement !== null) {
      section(t('Sandbox'), [fenced('json', JSON.stringify(decision.confinement, null, 2))]);
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A matching rule, with what it said and whether it decided. */
function ruleLine({ id, source, layer, verdict, lost, reason, isFailure }: MatchedRule): string {
  const how = lost === null ? t('decided') : LOST()[lost];
  const failure = isFailure ? t(' (could not be evaluated)') : '';
  return `- \`${id}\` (${layer}, ${source}): ${verdictWord(verdict)}, ${how}${failure}. ${reason}`;
}

const LOST = (): Readonly<Record<NonNullable<MatchedRule['lost']>, string>> => ({
  'lower-priority': t('passed over: another rule has a higher priority'),
  milder: t('passed over: another rule is stricter'),
  'weaker-layer': t('passed over: another layer is stricter'),
  'replaced-pack': t('passed over: a rule of yours speaks instead'),
  untrusted: t('passed over: the workspace is not trusted'),
  unverified: t('passed over: what was kept of a broken policy may only tighten'),
  'milder-effect': t('passed over: another effect is stricter'),
  overridden: t('overridden by name'),
});

/** Lines that are shown as they are. */
interface Block {
  readonly lines: readonly string[];
}

/** What is asked for, word by word: a command as it would be typed, everything else as it was proposed. */
function paramsOf(proposal: Proposal): Block[] {
  if (proposal.kind !== 'ExecuteShell') return [fenced('json', JSON.stringify(proposal.params, null, 2))];
  const { command, ...rest } = proposal.params;
  const shown = fenced(rest.shell === 'powershell' ? 'powershell' : 'sh', command);
  return Object.keys(rest).length === 0 ? [shown] : [shown, fenced('json', JSON.stringify(rest, null, 2))];
}

/** Text of an agent or a person on one line of its own, marked as a quotation. */
const quote = (text: string): string => `“${text.replace(/\s+/g, ' ').trim()}”`;

/** Text in which nothing becomes a link, a picture or a tag: what an agent writes must not fetch anything when it is looked at. */
const inert = (text: string): string => text.replace(/[[<]/g, '\\$&');

/** A fenced block that its content cannot end. */
function fenced(language: string, content: string): Block {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return { lines: [`${fence}${language}`, content.trimEnd(), fence] };
}
