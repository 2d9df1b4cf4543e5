// The process that a model runs in. It is forked by process.ts, speaks with nobody else, and is killed when it does not answer.
import type { LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from 'node-llama-cpp';
import { REASON_CODES, reasonsFor } from '../../core/review/reasons.js';
import type { ReviewVerdict } from '../../core/review/review.js';
import type { FromChild, ToChild } from './messages.js';
import { chatPrompt, starterPrompt, type Piece } from './prompt.js';

type Library = typeof import('node-llama-cpp');

const VERDICTS = ['approve', 'flag', 'reject'] as const satisfies readonly ReviewVerdict[];
const ANSWER = '{"verdict":"';
const STARTER = /^lacuna-starter/;
/** Room for the answer behind the prompt. */
const ANSWER_TOKENS = 48;

const say = (message: FromChild): void => void process.send?.(message);
const memoryMiB = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A model that is loaded, with one sequence, so that what two prompts begin with is worked out once. */
interface Loaded {
  readonly library: Library;
  readonly model: LlamaModel;
  readonly sequence: LlamaContextSequence;
  readonly contextTokens: number;
  readonly pieces: (text: string) => readonly Piece[];
  readonly grammars: ReadonlyMap<ReviewVerdict, LlamaGrammar>;
}

let loaded: Loaded | null = null;

async function load({ path, threads, contextTokens }: Extract<ToChild, { type: 'load' }>): Promise<void> {
  let library: Library;
  try {
    library = await import('node-llama-cpp');
  } catch (error) {
    say({ type: 'failed', id: null, why: 'missing', message: messageOf(error) });
    return;
  }
  try {
    const llama = await library.getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      maxThreads: threads,
      logLevel: library.LlamaLogLevel.error,
    });
    const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
    const context = await model.createContext({
      contextSize: contextTokens,
      threads,
      batchSize: Math.min(256, contextTokens),
    });
    const name = model.fileInfo.metadata.general.name ?? model.filename ?? 'model';
    const wrapper = STARTER.test(name) ? null : library.resolveChatWrapper(model);
    const grammars = new Map<ReviewVerdict, LlamaGrammar>();
    for (const verdict of VERDICTS) {
      const codes = reasonsFor(verdict).map((code) => `"${code}"`);
      grammars.set(verdict, await llama.createGrammar({ grammar: `root ::= (${codes.join(' | ')}) "\\"}"` }));
    }
    const pieces = (text: string): readonly Piece[] =>
      wrapper === null
        ? starterPrompt(text)
        : chatPrompt(text, REASON_CODES, (system, user) =>
            wrapper
              .generateContextState({
                chatHistory: [
                  { type: 'system', text: system },
                  { type: 'user', text: user },
                  { type: 'model', response: [''] },
                ],
              })
              .contextText.tokenize(model.tokenizer),
          );
    loaded = { library, model, sequence: context.getSequence(), contextTokens, pieces, grammars };
    say({ type: 'loaded', model: name, memoryMiB: memoryMiB() });
  } catch (error) {
    say({ type: 'failed', id: null, why: whyNotLoaded(messageOf(error)), message: messageOf(error) });
  }
}

/** Told from the engine's own words: it has no codes. A context is only refused where memory for it cannot be had. */
function whyNotLoaded(message: string): 'missing' | 'memory' | 'model' {
  if (/NoBinaryFound|binary|prebuilt/i.test(message)) return 'missing';
  return /memory|RAM\b|bad_alloc|allocat|Failed to create context/i.test(message) ? 'memory' : 'model';
}

const tokensOf = (model: LlamaModel, pieces: readonly Piece[]): Token[] =>
  pieces.flatMap((piece) => {
    switch (piece.type) {
      case 'begin':
        return model.tokens.bos === null ? [] : [model.tokens.bos];
      case 'control':
        return model.tokenize(piece.text, true);
      case 'data':
        return model.tokenize(piece.text, false);
      case 'tokens':
        return [...piece.tokens] as Token[];
    }
  });

/** Evaluates what the sequence does not hold yet, and tells the probabilities of the token after it. */
async function nextAfter({ sequence }: Loaded, tokens: Token[]): Promise<ReadonlyMap<Token, number>> {
  const last = tokens.at(-1);
  if (last === undefined) return new Map();
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  const rest = tokens.slice(sequence.nextTokenIndex, -1);
  // A temperature would cut the map down to one token, which then seems certain: it stays unset.
  const out = await sequence.controlledEvaluate([...rest, [last, { generateNext: { probabilities: true } }]]);
  return out.at(-1)?.next.probabilities ?? new Map<Token, number>();
}

async function review({ id, text, approveAt }: Extract<ToChild, { type: 'review' }>): Promise<void> {
  if (loaded === null) throw new Error('No model is loaded.');
  const { model, contextTokens } = loaded;
  const tokens = tokensOf(model, [...loaded.pieces(text), { type: 'data', text: ANSWER }]);
  if (tokens.length > contextTokens - ANSWER_TOKENS) throw new Error('The proposal is too long for the model.');
  const next = await nextAfter(loaded, tokens);
  const shares = VERDICTS.map((verdict) => next.get(model.tokenize(verdict, false)[0] ?? (-1 as Token)) ?? 0);
  const mass = shares.reduce((sum, value) => sum + value, 0);
  const [approve = 0, flag = 0, reject = 0] = shares.map((value) => (mass > 0 ? Math.min(1, value / mass) : 0));
  say({ type: 'verdict', id, probabilities: { approve, flag, reject }, mass, memoryMiB: memoryMiB() });
  if (approve >= approveAt) return;
  const verdict = reject >= flag ? 'reject' : 'flag';
  say({ type: 'reason', id, json: await reasoned(loaded, tokens, verdict) });
}

/** The rest of the answer: a reason of the closed list, which the grammar holds the model to. */
async function reasoned(
  { library, model, sequence, grammars }: Loaded,
  tokens: Token[],
  verdict: ReviewVerdict,
): Promise<string> {
  const grammar = grammars.get(verdict);
  if (grammar === undefined) return '';
  const begun = `${verdict}","reason":"`;
  const whole = [...tokens, ...model.tokenize(begun, false)];
  await sequence.adaptStateToTokens(whole.slice(0, -1), false);
  const state = new library.LlamaGrammarEvaluationState({ model, grammar });
  const answer: Token[] = [];
  for await (const token of sequence.evaluate(whole.slice(sequence.nextTokenIndex), {
    grammarEvaluationState: state,
  })) {
    if (model.isEogToken(token)) break;
    answer.push(token);
    if (answer.length >= ANSWER_TOKENS || model.detokenize(answer).endsWith('"}')) break;
  }
  return `${ANSWER}${begun}${model.detokenize(answer)}`;
}

/** One thing after the other: there is one sequence. */
let work: Promise<void> = Promise.resolve();

process.on('message', (message: ToChild) => {
  work = work
    .then(() => (message.type === 'load' ? load(message) : review(message)))
    .catch((error: unknown) => {
      say({
        type: 'failed',
        id: message.type === 'review' ? message.id : null,
        why: 'other',
        message: messageOf(error),
      });
    });
});
// An end of the host is an end of the child.
process.on('disconnect', () => process.exit(0));
