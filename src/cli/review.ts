import type { Review } from '../core/review/review.js';
import { answerer, CHECK_FLAGS, settingsOf } from './check.js';
import { EXIT, oneOf, only, parseArguments, type ExitCode, type Io } from './io.js';
import { mindOf, openReviewing } from './reviewing.js';

const HELP = `usage: lacuna review [FLAGS] < TRACES

Puts every step of traces to the local reviewer, and answers a line each with what it says: verdict, risk, confidence, reason,
model and milliseconds. The form of traces, and the flags, are those of "lacuna check"; steps that were not refused go on. Also:

  --model linear|starter|FILE   what it thinks with (default: the starter model that comes with Lacuna, and the linear one)
  --skip nothing|smart          whether steps are left out that are not worth a review (default: nothing)
`;

const FLAGS = { ...CHECK_FLAGS, model: 'value', skip: 'value' } as const;

/** What is printed of a review. */
function shown(review: Review): object {
  switch (review.type) {
    case 'answered': {
      const { type, verdict, risk, confidence, reason, model, durationMs, isCached } = review;
      return {
        type,
        verdict,
        risk,
        confidence: Math.round(confidence * 1000) / 1000,
        reason,
        model,
        ms: durationMs,
        isCached,
      };
    }
    case 'skipped':
    case 'none':
      return review;
  }
}

/** `lacuna review`: traces in, the reviewer's own answers out (product.md §11). */
export async function review(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, FLAGS);
  if (parsed.switches.has('help')) {
    io.out(HELP);
    return EXIT.done;
  }
  const settings = { ...settingsOf(parsed), review: 'off' } as const;
  const skip = oneOf(parsed, 'skip', ['nothing', 'smart'], 'nothing');
  const reviewing = openReviewing(mindOf(only(parsed, 'model')), { ...settings, skip });
  let said: object[] = [];
  const answer = answerer(settings, io, undefined, async (step) => {
    said.push(shown(await reviewing.review(step)));
    return step.judged.decision;
  });
  try {
    for await (const line of io.lines()) {
      if (line.trim() === '') continue;
      said = [];
      const judged = (await answer(line)) as { readonly id: string | null; readonly error?: string };
      io.out(`${JSON.stringify(judged.error === undefined ? { id: judged.id, steps: said } : judged)}\n`);
    }
    const trouble = reviewing.trouble();
    if (trouble !== null) io.error(`lacuna review: ${trouble}\n`);
  } finally {
    reviewing.dispose();
  }
  return EXIT.done;
}
