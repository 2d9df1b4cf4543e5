import type { Plan } from '../../plan/plan.js';
import type { Brain, BrainPart, BrainRequest } from '../brain.js';
import { estimateTokens } from '../tokens.js';
import { explainPlan, explainProject } from './explainProject.js';
import { findTodo, todoPlan } from './findTodo.js';
import { fixPlan, fixTest } from './fixTest.js';
import { say, Scene, want, type Move } from './scene.js';
import { leakPlan, secretLeak } from './secretLeak.js';
import { toolboxOf, type Use } from './toolbox.js';
import { readTranscript } from './transcript.js';
import { wordsFor } from './words.js';

/** A guided story: how to recognise that it is asked for, its plan, and its next move. */
interface Scenario {
  readonly isAsked: RegExp;
  readonly plan: (scene: Scene) => Plan;
  readonly next: (scene: Scene) => Move;
}

/** In order: the first that is asked for is played. */
const SCENARIOS: readonly Scenario[] = [
  { isAsked: /\.env\b|secret|leak|credential|密钥|泄露|秘密|机密/i, plan: leakPlan, next: secretLeak },
  { isAsked: /\b(todos?|fixmes?)\b|待办|TODO/i, plan: todoPlan, next: findTodo },
  { isAsked: /\bfix|\bfail|\brepair|\btests?\b|测试|修复|失败/i, plan: fixPlan, next: fixTest },
  {
    isAsked: /explain|describe|overview|what (is|does)|what's this|解释|介绍|说明|这个项目/i,
    plan: explainPlan,
    next: explainProject,
  },
];

/** The next move for a conversation. Pure: the same conversation gives the same move. */
export function nextMove(request: BrainRequest): { readonly text: string; readonly uses: readonly Use[] } {
  const transcript = readTranscript(request.messages);
  const toolbox = toolboxOf(request.tools, request.messages);
  const words = wordsFor(transcript.request);
  const scenario = SCENARIOS.find(({ isAsked }) => isAsked.test(transcript.request));
  if (scenario === undefined) return { text: say(words.iAm, words.canDo(words.stories)).text, uses: [] };
  const scene = new Scene(transcript, toolbox, words);
  const move = withPlan(scenario, scene);
  const uses = move.wants.map(({ wish, why, step }) => toolbox.use(wish, why, step));
  const able = uses.filter((use) => use !== null);
  if (able.length < uses.length) return { text: say(words.iAm, words.noTools).text, uses: [] };
  const intro = transcript.steps.length === 0 ? `${words.iAm}\n\n` : '';
  return { text: intro + move.text, uses: able };
}

/** The plan goes first where one is wanted. A plan that was refused ends the story. */
function withPlan(scenario: Scenario, scene: Scene): Move {
  const { toolbox, words, past } = scene;
  if (!toolbox.hasPlan) return scenario.next(scene);
  const stated = past.findLast(({ call }) => call.name === 'lacuna_plan');
  if (stated === undefined)
    return want(words.fix.begin, { wish: { type: 'plan', plan: scenario.plan(scene) }, why: '', step: null });
  if (stated.went === 'refused') return say(stated.said);
  if (isOutOfDate(scene)) return want('', { wish: { type: 'plan', plan: scenario.plan(scene) }, why: '', step: null });
  return toolbox.isPlanOnly ? say(words.onlyPlan) : scenario.next(scene);
}

/** Whether the newest answer asks for another plan. */
const isOutOfDate = ({ past }: Scene): boolean => past.at(-1)?.isPlanOver ?? false;

/** Characters of a piece of streamed text, so that it reads like a model's. */
const PIECE = 24;

/**
 * The built-in demonstration model. No language model: a small planner that plays guided stories and reacts to what really
 * comes back, so that the whole way can be seen without a key and without a network.
 */
export const demonstrationBrain: Brain = {
  name: 'Lacuna demonstration',
  isRemote: false,
  maxInputTokens: 64_000,
  countTokens: estimateTokens,
  async *respond(request, cancel): AsyncGenerator<BrainPart> {
    const { text, uses } = nextMove(request);
    const turn = request.messages.length;
    for (const piece of text.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, 'gu')) ?? []) {
      if (cancel.aborted) return yield { type: 'failed', why: 'cancelled', message: 'Cancelled.' };
      yield { type: 'text', text: piece };
    }
    for (const [index, { name, input }] of uses.entries())
      yield { type: 'call', call: { id: `demo_${turn}_${index}`, name, input: { ok: true, value: input } } };
  },
};
