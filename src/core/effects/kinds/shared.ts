import type { Analysis, Effect, Flow, TerminalState, Trait, Word } from '../effect.js';
import { pathEffects, type PathAction, type PathEffect } from '../pathEffects.js';
import { canonicalPath, type LastLink } from '../paths.js';
import type { View } from '../view.js';

/** The answer of a kind that has no simple commands and leaves the terminal as it is. */
export const analysisOf = (effects: readonly PathEffect[], view: View, flows: readonly Flow[] = []): Analysis => ({
  effects: effects.map((effect) => ({ ...effect, command: null })),
  commands: [],
  flows,
  terminal: view.terminal,
});

/** One effect of which only is known that something is done. */
export const unknownEffect = (what: string): PathEffect => ({
  op: 'unknown',
  resource: { type: 'unknown', what },
  certainty: 'dynamic',
  reversible: 'no',
  traits: [],
  note: '',
});

/** The answer when nothing can be said; `what` says in words why. */
export const nothingKnown = (what: string, view: View): Analysis => analysisOf([unknownEffect(what)], view);

/** A path parameter as a word: file kinds take paths literally, without globs, variables or `~`. */
const literalWord = (text: string): Word => ({ text, raw: text, certainty: 'exact', quoted: true });

/** Where relative paths of file kinds start: the first workspace folder, whatever the terminal's folder is. */
const startOf = (view: View): string => view.facts.roots[0] ?? '/';

/** The canonical path that a path parameter names. Executors resolve it in the same way. */
export const fileAt = (path: string, view: View, lastLink: LastLink): string =>
  canonicalPath(path, startOf(view), view.facts, lastLink);

/** Effects of one action on a path parameter, with all that the path itself says. */
export const onPath = (
  op: PathAction['op'],
  path: string,
  view: View,
  traits: readonly Trait[] = [],
  note = '',
): readonly PathEffect[] =>
  pathEffects(
    {
      op,
      word: literalWord(path),
      cwd: startOf(view),
      traits,
      note,
      certainty: null,
      reversible: null,
      content: 'changed',
      spares: [],
    },
    view.facts,
  );

/** The effect with more traits and a longer note. */
export function withMore<E extends PathEffect | Effect>(
  effect: E,
  traits: readonly Trait[],
  notes: readonly string[],
): E {
  const more = notes.filter((note) => note !== '');
  if (traits.length === 0 && more.length === 0) return effect;
  return {
    ...effect,
    traits: [...new Set([...effect.traits, ...traits])],
    note: [effect.note, ...more].filter((note) => note !== '').join('; '),
  };
}

/** Several analyses as one; indexes of commands are moved along. */
export function merged(analyses: readonly Analysis[], terminal: TerminalState): Analysis {
  const effects: Effect[] = [];
  const commands: Analysis['commands'][number][] = [];
  const flows: Flow[] = [];
  for (const analysis of analyses) {
    const offset = commands.length;
    const moved = (index: number | null): number | null => (index === null ? null : index + offset);
    effects.push(...analysis.effects.map((effect) => ({ ...effect, command: moved(effect.command) })));
    commands.push(...analysis.commands.map((command) => ({ ...command, carrier: moved(command.carrier) })));
    flows.push(...analysis.flows);
  }
  return { effects, commands, flows, terminal };
}
