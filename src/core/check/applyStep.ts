import type { Analysis, Effect } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import type { OverlayFacts } from './overlay.js';

const pathOf = (effect: Effect): string | null =>
  'path' in effect.resource && effect.certainty === 'exact' ? effect.resource.path : null;

/** The text after the edits; null when the file's own text is not known. An edit that does not fit changes nothing. */
function edited(
  text: string | null,
  edits: readonly { readonly oldText: string; readonly newText: string }[],
): string | null {
  if (text === null) return null;
  let after = text;
  for (const { oldText, newText } of edits) after = after.replace(oldText, () => newText);
  return after;
}

/** Copies and moves among the flows: the whole of one path goes verbatim into another. */
function copiesOf(analysis: Analysis): ReadonlyMap<string, readonly string[]> {
  const into = new Map<string, string[]>();
  for (const flow of analysis.flows) {
    if (flow.how !== 'verbatim' || !('path' in flow.to) || !('path' in flow.from)) continue;
    into.set(flow.to.path, [...(into.get(flow.to.path) ?? []), flow.from.path]);
  }
  return into;
}

/** Texts that the analysis knows to go into a path (`echo x > f`, here-documents), in order; null when none is known. */
function literalInto(path: string, analysis: Analysis): string | null {
  const texts = analysis.flows.flatMap((flow) =>
    flow.from.type === 'literal' && 'path' in flow.to && flow.to.path === path && flow.how === 'verbatim'
      ? [flow.from.text]
      : [],
  );
  return texts.length === 0 ? null : texts.join('\n') + '\n';
}

/** Lays over the facts what a step would have changed, as far as it is known. What is not known is marked as unknown content. */
export function applyStep(proposal: Proposal, analysis: Analysis, overlay: OverlayFacts): void {
  const copies = copiesOf(analysis);
  const moved = new Set<string>();
  for (const effect of analysis.effects) {
    const path = pathOf(effect);
    if (path === null || effect.traits.includes('dry-run')) continue;
    switch (effect.op) {
      case 'write':
      case 'persist':
        applyWrite(path, effect);
        break;
      case 'delete':
      case 'move':
        moved.add(path);
        break;
      default:
        break;
    }
  }
  for (const path of moved) overlay.delete(path);

  function applyWrite(path: string, effect: Effect): void {
    if (proposal.kind === 'WriteFile') {
      overlay.write(path, proposal.params.content);
      return;
    }
    if (proposal.kind === 'EditFile') {
      overlay.write(path, edited(overlay.readText(path), proposal.params.edits));
      return;
    }
    const literal = literalInto(path, analysis);
    const from = copies.get(path);
    if (literal !== null) {
      if (effect.traits.includes('append')) overlay.append(path, literal);
      else overlay.write(path, literal);
    } else if (from?.length === 1 && from[0] !== undefined) overlay.copy(from[0], path);
    else if (effect.traits.includes('append')) overlay.append(path, null);
    else overlay.write(path, null);
  }
}
