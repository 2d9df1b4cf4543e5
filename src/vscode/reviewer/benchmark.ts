import * as vscode from 'vscode';
import { benchmark, benchmarkCases, type BenchmarkResult } from '../../adapters/review/benchmark.js';
import { modelsFolder } from '../../adapters/review/models.js';
import { openReviewer } from '../../adapters/review/open.js';
import { TreeSitter } from '../../adapters/treeSitter.js';
import type { Guard } from '../guard.js';
import { signalOf } from '../cancel.js';
import { mindOfSettings } from './windowReviewer.js';

const { t } = vscode.l10n;

/** Measures the chosen reviewer on the bundled cases on this machine, and says whether it is fit. */
export async function benchmarkReviewer({ log }: Guard): Promise<void> {
  const mind = mindOfSettings();
  if (mind === null || typeof mind === 'string') {
    void vscode.window.showWarningMessage(mind ?? t('The reviewer is off.'));
    return;
  }
  const open = openReviewer(__dirname, mind, 'nothing');
  const syntax = new TreeSitter(__dirname);
  try {
    const start = performance.now();
    const isStarted = (await open.process?.warm()) === null;
    const startMs = performance.now() - start;
    const result = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: t('Measuring the reviewer'), cancellable: true },
      async (progress, token) => {
        await syntax.load('bash');
        const cases = benchmarkCases(modelsFolder(__dirname));
        return await benchmark(open.reviewer, cases, syntax, signalOf(token).signal, (done, all) =>
          progress.report({ increment: 100 / all, message: `${String(done)} / ${String(all)}` }),
        );
      },
    );
    if (result === null) return;
    const state = open.process?.state;
    const lines = [
      ...linesOf(result),
      ...(isStarted && state?.type === 'ready' ? [startLine(startMs, state.memoryMiB, mind.type === 'starter')] : []),
    ];
    for (const line of lines) log.info(line);
    const shown = lines.join(' ');
    if (result.isFit) void vscode.window.showInformationMessage(shown);
    else void vscode.window.showWarningMessage(shown);
  } finally {
    open.dispose();
  }
}

/** What the starter model is held to; a model that a person chose has no budgets. */
const BUDGETS = { startMs: 2000, memoryMB: 200 } as const;

function startLine(startMs: number, memoryMiB: number, isStarter: boolean): string {
  const memoryMB = Math.round((memoryMiB * 2 ** 20) / 1e6);
  return isStarter
    ? t(
        'Its process starts in {0} ms (budget {1}) and holds {2} MB (budget {3}).',
        Math.round(startMs),
        BUDGETS.startMs,
        memoryMB,
        BUDGETS.memoryMB,
      )
    : t('Its process starts in {0} ms and holds {1} MB.', Math.round(startMs), memoryMB);
}

const percent = (share: number): string => `${String(Math.round(share * 100))}%`;

/** A result in words. */
function linesOf(result: BenchmarkResult): readonly string[] {
  return [
    result.isFit
      ? t('This reviewer is fit for this machine.')
      : t('This reviewer is not fit: {0}.', result.why.join(', ')),
    t(
      'Of {0} bundled cases: {1} right, {2} of what is wrong objected to, {3} of what is right.',
      result.cases,
      percent(result.accuracy),
      percent(result.recall),
      percent(result.falseFlags),
    ),
    t('A review takes {0} ms (95 of 100 within {1} ms).', Math.round(result.medianMs), Math.round(result.p95Ms)),
  ];
}
