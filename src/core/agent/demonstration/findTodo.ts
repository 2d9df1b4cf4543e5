import type { Plan } from '../../plan/plan.js';
import { isGood, reasonOf, say, want, type Move, type Scene } from './scene.js';

export const todoPlan = ({ words: { todo } }: Scene): Plan => ({
  goal: todo.goal,
  steps: [{ id: 'search', task: todo.search, kinds: ['SearchFiles'], resources: ['**'], after: [] }],
});

/** Finds what is left to do, and says where it stands. */
export function findTodo(scene: Scene): Move {
  const { todo } = scene.words;
  const search = scene.last('search');
  if (search === null)
    return want(todo.begin, { wish: { type: 'search', query: 'TODO' }, why: todo.search, step: 'search' });
  if (!isGood(search)) return say(todo.notSearched(reasonOf(search)));
  const found = [...search.data.matchAll(/^(\S[^\n]*?):(\d+):\s*(.*)$/gm)];
  if (found.length === 0) return say(todo.none);
  const lines = found.slice(0, 30).map((match) => `- \`${match[1] ?? ''}:${match[2] ?? ''}\` ${clean(match[3] ?? '')}`);
  return say(`${todo.found(found.length)}\n${lines.join('\n')}`);
}

/** The note itself, without the comment signs around it. */
const clean = (line: string): string => line.replace(/^[\s/*#<!-]+/, '').replace(/[\s*/>-]+$/, '');
