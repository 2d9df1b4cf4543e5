import * as vscode from 'vscode';
import { lookAtFileSystem } from '../../adapters/facts.js';
import { fileIdentity } from '../../adapters/fileIdentity.js';
import { localTime, userName } from '../../adapters/person.js';
import { policyFiles } from '../../adapters/policyFiles.js';
import { detectSandboxes } from '../../adapters/sandbox/detect.js';
import { clock } from '../../adapters/system.js';
import { TreeSitter } from '../../adapters/treeSitter.js';
import { judgeTrace, parseTrace } from '../../core/check/trace.js';
import { analyse } from '../../core/effects/analyse.js';
import { freshTerminal } from '../../core/effects/effect.js';
import { compilePolicy, modeOf, type CompiledPolicy } from '../../core/policy/compile.js';
import { declaredLabels } from '../../core/policy/declaredLabels.js';
import { decide } from '../../core/policy/decide.js';
import { explain, explanationLines } from '../../core/policy/explain.js';
import { lintPolicy } from '../../core/policy/lint.js';
import { standsIn } from '../../core/policy/lintText.js';
import { layersOf, loadSources, type PolicyFiles, type PolicySource } from '../../core/policy/load.js';
import { parsePolicy, type ParsedPolicy } from '../../core/policy/parse.js';
import type { PolicyProblem } from '../../core/policy/problem.js';
import { runTests, type TestResult } from '../../core/policy/testing/runTests.js';
import { hasSandbox } from '../../core/sandboxReport.js';
import { settings } from '../settings.js';
import { policySources } from './sources.js';

const { t } = vscode.l10n;

/** What is known of a policy that is being written. */
export interface Checked {
  readonly problems: readonly PolicyProblem[];
  /** Null when the policy cannot be used, so that no test was run. */
  readonly results: readonly TestResult[] | null;
}

/** Tries a policy as it stands in an open document, saved or not, in its layer over the other files as they are. */
export class Workbench {
  readonly #roots: () => readonly string[];
  readonly #syntax = new TreeSitter(__dirname);
  #isSyntaxLoaded = false;
  #hasSandbox: boolean | null = null;

  constructor(roots: () => readonly string[]) {
    this.#roots = roots;
  }

  /** Mistakes, rules of no use, and tests that fail. */
  async check(document: vscode.TextDocument, source: PolicySource): Promise<Checked> {
    const parsed = parsePolicy(source.name, document.getText());
    if (!parsed.ok) return { problems: parsed.error, results: null };
    const compiled = await this.#compile(document, source);
    if (!('rules' in compiled)) return { problems: compiled, results: null };
    const results = await this.#test(parsed.value, compiled);
    const failed = results.flatMap((result) => (result.isPassed ? [] : [failure(source.name, parsed.value, result)]));
    const doubts = lintPolicy(source.name, parsed.value, standsIn(lookAtFileSystem({ roots: this.#roots() })));
    return { problems: [...doubts, ...failed], results };
  }

  /** What the policy makes of one command, with every rule considered and why the winner won; or why it cannot be told. */
  async explain(document: vscode.TextDocument, source: PolicySource, command: string): Promise<readonly string[]> {
    const compiled = await this.#compile(document, source);
    if (!('rules' in compiled))
      return compiled.map(({ line, message }) => `${source.name}:${String(line)}: ${message}`);
    await this.#loadSyntax();
    this.#hasSandbox ??= hasSandbox(await detectSandboxes());
    const roots = this.#roots();
    const step = { kind: 'ExecuteShell', params: { command } };
    const trace = parseTrace(JSON.stringify({ id: 'tried', workspace: roots[0] ?? '/', steps: [step] }));
    if (!trace.ok) return [trace.error.error];
    const facts = lookAtFileSystem({ roots });
    const lines: string[] = [];
    const ports = { clock, syntax: this.#syntax, analyse };
    judgeTrace(trace.value, {
      ...ports,
      open: () => ({
        facts,
        identity: fileIdentity,
        policyLabels: declaredLabels(compiled.layers, facts),
        mode: modeOf(compiled.layers, vscode.workspace.isTrusted) ?? settings.mode(),
        circumstances: {
          user: userName(),
          time: localTime(new Date(clock.nowMs())),
          isHeadless: false,
          isTrusted: vscode.workspace.isTrusted,
          hasSandbox: this.#hasSandbox ?? false,
        },
        decide: (proposal, analysis, context) => {
          const explanation = explain(compiled, proposal, analysis, context);
          // First what spoke, which is mostly all that a person wants to know; below it every rule that was looked at.
          lines.push(...explanationLines(explanation, 'matched'), '');
          lines.push(t('Every rule that was considered:'), '', ...explanationLines(explanation, 'all'), '');
          return decide(compiled, proposal, analysis, context);
        },
      }),
    });
    return lines;
  }

  async #test(parsed: ParsedPolicy, policy: CompiledPolicy): Promise<readonly TestResult[]> {
    const tests = parsed.spec.tests ?? [];
    if (tests.length === 0) return [];
    await this.#loadSyntax();
    return runTests(policy, tests, (proposal, facts) =>
      analyse(proposal, { facts, syntax: this.#syntax, terminal: freshTerminal(facts.roots[0] ?? null) }),
    );
  }

  /** The whole policy with the document in its layer; what keeps it from being used instead. */
  async #compile(
    document: vscode.TextDocument,
    source: PolicySource,
  ): Promise<CompiledPolicy | readonly PolicyProblem[]> {
    const others = policySources(this.#roots()).filter(({ path }) => path !== source.path);
    const loaded = await loadSources([...others, source], overlaid(source.path, document.getText()));
    const own = loaded.find((one) => one.source.path === source.path);
    if (own === undefined || own.files === null) return own?.problems ?? [];
    // What is written is tried as it would hold once the workspace is trusted.
    return compilePolicy(layersOf(loaded, { isTrusted: true }));
  }

  async #loadSyntax(): Promise<void> {
    if (this.#isSyntaxLoaded) return;
    await this.#syntax.load('bash');
    this.#isSyntaxLoaded = true;
  }
}

/** Files as they are, but for the one that is open. */
const overlaid = (path: string, text: string): PolicyFiles => ({
  readText: (file, source) => (file === path ? { type: 'text', text } : policyFiles.readText(file, source)),
});

function failure(source: string, parsed: ParsedPolicy, { index, name, message }: TestResult): PolicyProblem {
  const place = parsed.place(['tests', index]);
  return {
    source,
    ...place,
    endLine: place.line,
    endColumn: place.column + 1,
    severity: 'warning',
    code: 'test-failed',
    message: `${name}: ${message}`,
  };
}
