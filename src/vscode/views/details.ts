import * as vscode from 'vscode';
import type { Entry } from '../../core/gate/ledger.js';
import type { MatchedRule } from '../../core/policy/decision.js';
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

/** Gives the editor a page of Markdown about one Lacuna, and a new one when it has gone on. */
export class DetailsPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #sessions: Sessions;
  readonly #stop: () => void;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
    this.#stop = sessions.onChange(() => {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === DETAILS) this.#changed.fire(uri);
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const session = await this.#sessions.get(query.get('session') ?? '');
    const entry = session.ledger.entry(query.get('lacuna') ?? '');
    return entry === null ? t('Nothing is known of this any more. The audit has it.') : detailsPage(entry);
  }

  dispose(): void {
    this.#stop();
    this.#changed.dispose();
  }
}

/** Everything that is known of one Lacuna, as Markdown: what, why, by which rules, what it would do, what came of it. */
export function detailsPage({ lacuna, decision, review, analysis, outcome, startedAtMs }: Entry): string {
  const lines = [
    `# ${proposalWords(lacuna)}`,
    '',
    `${lacuna.kind} · ${new Date(startedAtMs).toLocaleString()} · ${lacuna.origin.subagent ?? lacuna.origin.agent}`,
    '',
  ];
  const section = (title: string, body: readonly string[]): void => {
    if (body.length > 0) lines.push(`## ${title}`, '', ...body, '');
  };
  section(t('What was asked for'), [
    ...(lacuna.origin.request === '' ? [] : [t('Request: {0}', quote(lacuna.origin.request)), '']),
    ...(lacuna.description === '' ? [] : [t('The agent says: {0}', quote(lacuna.description)), '']),
    ...fenced('json', JSON.stringify(lacuna.params, null, 2)),
  ]);
  if (decision !== null) {
    section(t('Why it was decided so'), [
      `**${verdictWord(decision.verdict)}**, ${t('by {0}', decidedByWord(decision.decidedBy))} · ${riskWord(decision.risk)}`,
      '',
      ...decision.reason.split('\n'),
      ...(decision.advice === '' ? [] : ['', t('Advice to the agent: {0}', decision.advice)]),
      ...(review === null ? [] : ['', reviewWords(review)]),
    ]);
    section(t('Rules that matched'), decision.rules.map(ruleLine));
    if (decision.repair !== null) {
      section(t('What policy changed'), [
        decision.repair.explanation,
        ...fenced('json', JSON.stringify(decision.repair.before.params, null, 2)),
        t('became'),
        ...fenced('json', JSON.stringify(decision.repair.after.params, null, 2)),
      ]);
    }
    if (decision.confinement !== null) {
      section(t('Sandbox'), fenced('json', JSON.stringify(decision.confinement, null, 2)));
    }
  }
  section(
    t('What it would do'),
    (analysis?.effects ?? []).map((effect) => `- ${effectWords(effect)}`),
  );
  if (outcome !== null) {
    section(t('What came of it'), [
      outcomeWords(outcome),
      ...('message' in outcome && outcome.message !== '' ? ['', outcome.message] : []),
      ...('changed' in outcome ? outcome.changed.map((file) => `- ${vscode.workspace.asRelativePath(file)}`) : []),
      ...('output' in outcome && outcome.output.text !== '' ? fenced('text', outcome.output.text) : []),
    ]);
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

/** Text of an agent or a person on one line of its own, marked as a quotation. */
const quote = (text: string): string => `“${text.replace(/\s+/g, ' ').trim()}”`;

/** A fenced block that its content cannot end. */
function fenced(language: string, content: string): string[] {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, content.trimEnd(), fence];
}
