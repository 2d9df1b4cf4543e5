import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { z } from 'zod';
import { downloadModel, type DownloadFailure } from '../../adapters/review/download.js';
import { modelsFolder } from '../../adapters/review/models.js';
import { isGguf } from '../../adapters/review/process.js';
import { signalOf } from '../cancel.js';
import { settings } from '../settings.js';

const { t } = vscode.l10n;

const listSchema = z.array(
  z.strictObject({
    id: z.string(),
    name: z.string(),
    licence: z.string(),
    // Over TLS, or from a server on this machine; what was fetched is held against its checksum in any case.
    url: z.url().refine((url) => url.startsWith('https://') || /^http:\/\/127\.0\.0\.1(?::\d+)?\//.test(url)),
    file: z.string(),
    sizeBytes: z.number().int().positive(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    memoryMiB: z.number().int().positive(),
    note: z.string(),
  }),
);
type Listed = z.infer<typeof listSchema>[number];

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

/** Lets the person choose what the reviewer thinks with: what comes along, a file, a server, or a model to be fetched. */
export async function chooseReviewer(folder: string): Promise<void> {
  const listed = listSchema.parse(JSON.parse(readFileSync(path.join(modelsFolder(__dirname), 'list.json'), 'utf8')));
  const now = settings.reviewer.model();
  const fixed = (
    model: string,
    label: string,
    detail: string,
  ): vscode.QuickPickItem & { pick: () => Promise<unknown> } => ({
    label,
    detail,
    ...(now === model ? { description: t('now') } : {}),
    pick: () => use(model, null),
  });
  const picked = await vscode.window.showQuickPick(
    [
      fixed('starter', t('Starter model'), t('Comes with Lacuna: small, fast, trained for this task.')),
      fixed('linear', t('Linear model only'), t('No language model: facts and their weights. Starts at once.')),
      ...listed.map((model) => ({
        label: model.name,
        description: t(
          '{0} GB to fetch, {1}, {2} GB of memory',
          gigabytes(model.sizeBytes),
          model.licence,
          gigabytes(model.memoryMiB * 2 ** 20),
        ),
        detail: model.note,
        pick: () => fetchModel(model, folder),
      })),
      { label: t('A GGUF file…'), detail: t('A model that is on this machine already.'), pick: chooseFile },
      {
        label: t('A model server on this machine…'),
        detail: t('Ollama, LM Studio, llama.cpp, vLLM.'),
        pick: chooseEndpoint,
      },
      fixed('off', t('No reviewer'), t('What only it could clear is asked.')),
    ],
    { title: t('What shall the reviewer think with?'), matchOnDetail: true },
  );
  await picked?.pick();
}

async function use(model: string, sha256: string | null): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('lacuna');
  await configuration.update('reviewer.sha256', sha256 ?? undefined, vscode.ConfigurationTarget.Global);
  await configuration.update('reviewer.model', model, vscode.ConfigurationTarget.Global);
  if (model === 'off') return;
  const measure = t('Benchmark It');
  if ((await vscode.window.showInformationMessage(t('The reviewer is chosen.'), measure)) === measure)
    await vscode.commands.executeCommand('lacuna.benchmarkReviewer');
}

async function chooseFile(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({ title: t('Choose a GGUF model'), filters: { GGUF: ['gguf'] } })) ?? [];
  if (file === undefined) return;
  if (!statSync(file.fsPath).isFile() || !isGguf(file.fsPath)) {
    void vscode.window.showErrorMessage(t('{0} is no GGUF model.', file.fsPath));
    return;
  }
  await use(file.fsPath, null);
}

async function chooseEndpoint(): Promise<void> {
  const { isOnThisMachine } = await import('../../adapters/review/endpoint.js');
  const baseUrl = await vscode.window.showInputBox({
    title: t('Address of the model server'),
    value: settings.reviewer.endpoint()?.baseUrl ?? 'http://localhost:11434/v1',
    validateInput: (text) =>
      isOnThisMachine(text.trim()) ? null : t('It must be an address of this machine, as http://localhost:11434/v1.'),
  });
  if (baseUrl === undefined) return;
  const model = await vscode.window.showInputBox({
    title: t('Name of the model'),
    value: settings.reviewer.endpoint()?.model ?? '',
  });
  if (model === undefined || model.trim() === '') return;
  const configuration = vscode.workspace.getConfiguration('lacuna');
  await configuration.update('reviewer.endpoint.baseUrl', baseUrl.trim(), vscode.ConfigurationTarget.Global);
  await configuration.update('reviewer.endpoint.model', model.trim(), vscode.ConfigurationTarget.Global);
  await use('endpoint', null);
}

/** Fetches a model with a progress that can be cancelled, and goes on at the next try where this one ended. */
async function fetchModel(model: Listed, folder: string): Promise<void> {
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Fetching {0}', model.name), cancellable: true },
    (progress, token) => {
      let shown = 0;
      return downloadModel(model, {
        folder,
        cancel: signalOf(token).signal,
        progress: (loaded, all) => {
          const percent = Math.floor((100 * loaded) / all);
          if (percent === shown) return;
          progress.report({
            increment: percent - shown,
            message: t('{0} of {1} GB', gigabytes(loaded), gigabytes(all)),
          });
          shown = percent;
        },
      });
    },
  );
  if (result.ok) return use(result.value, model.sha256);
  if (result.error.type === 'cancelled') return;
  const again = t('Try Again');
  if ((await vscode.window.showErrorMessage(failureWords(result.error), again)) === again)
    await fetchModel(model, folder);
}

/** Why a model was not fetched, and what helps. */
function failureWords(failure: Exclude<DownloadFailure, { type: 'cancelled' }>): string {
  switch (failure.type) {
    case 'no-room':
      return t(
        'There is too little room on the disk: {0} GB are needed, {1} GB are free.',
        gigabytes(failure.needBytes),
        gigabytes(failure.freeBytes),
      );
    case 'offline':
      return t(
        'The network cannot be reached ({0}). Fetch the file elsewhere and choose it as a GGUF file.',
        failure.detail,
      );
    case 'proxy':
      return t('The proxy asks for a name and password. Set http.proxy with them in the settings of the editor.');
    case 'refused':
      return t('The server refuses the file (status {0}). It may have moved.', failure.status);
    case 'untrusted':
      return t(
        'The certificate of the server is not trusted ({0}). Something may stand between. If it is your network’s own proxy, add its certificate to the system, or fetch the file elsewhere and choose it as a GGUF file.',
        failure.detail,
      );
    case 'other':
      return t(
        'Something else answers in the place of the server, as the sign-in page of a network does. Open a page in the browser, then try again.',
      );
    case 'interrupted':
      return t('The connection broke ({0}). What was fetched is kept: try again to go on.', failure.detail);
    case 'damaged':
      return t(
        'What was fetched is not the file that was expected, and was thrown away. Something between may have changed it.',
      );
    case 'disk':
      return t('The file cannot be written: {0}', failure.detail);
  }
}
