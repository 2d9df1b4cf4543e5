import type { Cancel } from '../cancel.js';
import type { Analysis } from '../effects/effect.js';
import type { Facts } from '../effects/facts.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import type { Decision } from '../policy/decision.js';
import type { Approval, Approver, Ids } from '../ports.js';
import type { Ledger } from './ledger.js';
import type { Outcome } from './outcome.js';
import { describeWider, probesOf, questionOf, wallOf, widerFor, withNote, type Opened } from './wider.js';

/** What an offer needs of the gate's ports. */
export interface OfferPorts {
  readonly ledger: Ledger;
  readonly ids: Ids;
  readonly look: () => Facts;
  readonly approver: Approver;
  readonly judge: (
    lacuna: Lacuna,
  ) => Promise<{ readonly analysis: Analysis; readonly decision: Decision; readonly chain: readonly string[] }>;
}

/** How a filling ends after the offer: what came of it, and the same wish as a Lacuna of its own when it is tried again. */
export interface Offered {
  readonly outcome: Outcome;
  readonly again: Lacuna | null;
}

/** How many walls a person may open for one wish, one after another. */
const MAX_OPENED = 4;

/**
 * A filling that the sandbox made fail: a person may open exactly the wall that it ran into, and it is tried again, judged from
 * the start. Not offered where policy forbids the host or path itself, nor more than a few times. Headless nobody is asked.
 */
export async function offerWider(
  lacuna: Lacuna,
  decision: Decision,
  outcome: Outcome,
  opened: Opened,
  ports: OfferPorts,
  cancel: Cancel,
): Promise<Offered> {
  try {
    return await offer(lacuna, decision, outcome, opened, ports, cancel);
  } catch (error) {
    // What was done is done, whatever went wrong with the offer: the outcome stands.
    const what = error instanceof Error ? error.message : String(error);
    return { outcome: withNote(outcome, `A wider leave could not be offered: ${what}`), again: null };
  }
}

async function offer(
  lacuna: Lacuna,
  decision: Decision,
  outcome: Outcome,
  opened: Opened,
  ports: OfferPorts,
  cancel: Cancel,
): Promise<Offered> {
  const cause = wallOf(outcome);
  const before = opened.of(lacuna.id) ?? [];
  opened.settle(lacuna.id);
  const { confinement } = decision;
  const wider = cause === null || before.length >= MAX_OPENED ? null : widerFor(cause, ports.look());
  if (cause === null || wider === null || confinement === null) return { outcome, again: null };
  const probed = probesOf(wider, cause).map((probe) =>
    ports.judge(Object.freeze({ ...lacuna, ...probe, id: ports.ids.next() })),
  );
  if ((await Promise.all(probed)).some((judged) => judged.decision.verdict === 'deny'))
    return { outcome: withNote(outcome, `Policy does not let it ${describeWider(wider)}.`), again: null };
  const approval = await ask(lacuna, decision, questionOf(wider, cause), ports, cancel);
  switch (approval.type) {
    case 'nobody':
    case 'left-to-host':
      return { outcome, again: null };
    case 'no':
    case 'changed':
    case 'always': {
      const reason = approval.type === 'no' && approval.reason !== '' ? `: ${approval.reason}` : '.';
      const note = `A person was asked whether it may ${describeWider(wider)}, and said no${reason}`;
      return { outcome: withNote(outcome, note), again: null };
    }
    case 'session':
      opened.forSession(wider);
      break;
    case 'once':
      break;
  }
  const again = Object.freeze({ ...lacuna, id: ports.ids.next(), parentId: lacuna.id });
  opened.forLacuna(again.id, { opened: [...before, wider], confinement });
  return { outcome: withNote(outcome, `A person let it ${describeWider(wider)}; it is tried again.`), again };
}

async function ask(
  lacuna: Lacuna,
  decision: Decision,
  reason: string,
  { judge, ledger, approver }: OfferPorts,
  cancel: Cancel,
): Promise<Approval> {
  const { analysis, chain } = await judge(lacuna);
  ledger.progress(lacuna.id, 'asking');
  await ledger.write({ type: 'asked', lacunaId: lacuna.id, question: reason });
  return approver.ask(
    {
      lacuna,
      analysis,
      decision: { ...decision, verdict: 'ask', reason },
      review: { type: 'skipped', why: 'It was let run before.' },
      chain,
      alwaysRule: null,
    },
    cancel,
  );
}
