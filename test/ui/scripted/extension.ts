import * as vscode from 'vscode';
import { SCRIPT_ADDRESS, type Errand, type Reply, type Report, type SeenMessage, type Turn } from './turn.js';

/** Runs in the editor: a language model whose every turn is fetched from the test, by the stable API alone. */
export function activate(context: vscode.ExtensionContext): void {
  const address = process.env[SCRIPT_ADDRESS];
  if (address === undefined) throw new Error(`${SCRIPT_ADDRESS} is not set.`);
  const from = async (path: string, body: object): Promise<unknown> =>
    (await fetch(`${address}/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('scripted', {
      provideLanguageModelChatInformation: () => [
        {
          id: 'script',
          name: 'Scripted',
          family: 'scripted',
          version: '1',
          maxInputTokens: 128_000,
          maxOutputTokens: 8_000,
          capabilities: { toolCalling: true },
        },
      ],
      provideTokenCount: () => Promise.resolve(1),
      async provideLanguageModelChatResponse(_model, messages, { tools }, progress) {
        const turn: Turn = { messages: messages.map(seen), tools: (tools ?? []).map(({ name }) => name) };
        const reply = (await from('turn', turn)) as Reply;
        progress.report(
          'text' in reply
            ? new vscode.LanguageModelTextPart(reply.text)
            : new vscode.LanguageModelToolCallPart(`call-${crypto.randomUUID()}`, reply.call.tool, reply.call.input),
        );
      },
    }),
  );
  const end = new AbortController();
  context.subscriptions.push({ dispose: () => end.abort() });
  void (async () => {
    while (!end.signal.aborted) void run((await from('request', {})) as Errand);
  })();

  async function run(errand: Errand): Promise<void> {
    if ('query' in errand) {
      await vscode.commands.executeCommand('workbench.action.chat.newChat');
      await vscode.commands.executeCommand('workbench.action.chat.open', {
        query: errand.query,
        mode: 'agent',
        modelSelector: { vendor: 'scripted', id: 'script' },
      });
      return;
    }
    const results = await resultsOf(errand);
    await from('report', { id: errand.id, results } satisfies Report);
  }
}

async function resultsOf(errand: Exclude<Errand, { readonly query: string }>): Promise<readonly string[]> {
  if ('invoke' in errand) return await Promise.all(errand.invoke.map(({ tool, input }) => invoke(tool, input)));
  if ('command' in errand) return [String(await vscode.commands.executeCommand(errand.command, ...errand.args))];
  await vscode.workspace.getConfiguration().update(errand.setting, errand.value, vscode.ConfigurationTarget.Global);
  return [];
}

async function invoke(tool: string, input: object): Promise<string> {
  try {
    const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  } catch (error) {
    return `${tool} threw ${String(error)}`;
  }
}

function seen({ role, content }: vscode.LanguageModelChatRequestMessage): SeenMessage {
  const texts = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''));
  const results = content.flatMap((part) =>
    part instanceof vscode.LanguageModelToolResultPart
      ? [
          part.content
            .map((one) => (one instanceof vscode.LanguageModelTextPart ? one.value : JSON.stringify(one)))
            .join(''),
        ]
      : [],
  );
  return { isUser: role === vscode.LanguageModelChatMessageRole.User, text: texts.join(''), results };
}
