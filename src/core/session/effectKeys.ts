import type { Effect, Resource } from '../effects/effect.js';
import type { Proposal } from '../lacuna/lacuna.js';
import { key53 } from './hash.js';
import type { EffectKey } from './impact.js';

/** What is acted upon, in one spelling whatever the tool. */
export function subjectOf(resource: Resource): string {
  switch (resource.type) {
    case 'path':
    case 'agent-config':
      return `path:${fixedPart(resource.path)}`;
    case 'url':
      return `url:${resource.host}`;
    case 'package':
      return `package:${resource.ecosystem}:${resource.name}`;
    case 'table':
      return `table:${resource.database}:${resource.table}`;
    case 'environment':
      return `environment:${resource.name}`;
    case 'ref':
      return `ref:${resource.remote ?? ''}:${resource.ref}`;
    case 'tool':
      return `tool:${resource.server ?? ''}:${resource.tool}`;
    case 'remote':
      return `remote:${resource.service}:${resource.name}`;
    case 'process':
      return `process:${resource.process}`;
    case 'unknown':
      return `unknown:${resource.what}`;
  }
}

/** A glob cut back to the folder it is in: refusing `data/*` refuses `data`, and the other way round. */
function fixedPart(path: string): string {
  const at = path.search(/[*?[{$]/);
  return at < 0 ? path : path.slice(0, path.lastIndexOf('/', at)) || '/';
}

/** What the text that is written comes to, blanks aside. */
const contentKey = (text: string): string => key53(text.replace(/\s+/g, ''));

function writtenText(proposal: Proposal): string | null {
  if (proposal.kind === 'WriteFile') return proposal.params.content;
  if (proposal.kind === 'EditFile') return proposal.params.edits.map((edit) => edit.newText).join('\n');
  return null;
}

/** What each effect comes to, by index of the effect. */
export function effectKeys(proposal: Proposal, effects: readonly Effect[]): readonly EffectKey[] {
  const text = writtenText(proposal);
  return effects.map((effect) => {
    const act = effect.op === 'delete' || effect.op === 'move' ? 'destroy' : effect.op;
    const isWrite = effect.op === 'write' || effect.op === 'persist';
    return {
      act,
      subject: subjectOf(effect.resource),
      content: isWrite && text !== null ? contentKey(text) : null,
      isForced: effect.traits.includes('force') && effect.resource.type !== 'path',
    };
  });
}

/** One text for an effect, under which a refusal of it is remembered. */
export const refusalId = (key: EffectKey): string => idOf(key.act, key.subject, key.content ?? '', key.isForced);

const idOf = (act: EffectKey['act'], subject: string, content: string, isForced: boolean): string =>
  `${act}${isForced ? '!' : ''} ${subject} ${content}`;

/**
 * The texts under which a refusal would be remembered that covers this effect: the same subject, or a folder above it. A write of
 * other content than the refused one is another effect, since a rejected edit is meant to be improved.
 */
export function coveringIds(key: EffectKey): readonly string[] {
  const contents = key.content === null ? [''] : [key.content, ''];
  const subjects = [key.subject];
  if (key.subject.startsWith('path:')) {
    for (let at = key.subject.lastIndexOf('/'); at > 5; at = key.subject.lastIndexOf('/', at - 1)) {
      subjects.push(key.subject.slice(0, at));
    }
  }
  const forms = key.isForced ? [true, false] : [false];
  return subjects.flatMap((subject) =>
    contents.flatMap((content) => forms.map((isForced) => idOf(key.act, subject, content, isForced))),
  );
}
