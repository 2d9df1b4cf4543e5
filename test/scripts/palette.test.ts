import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
    readonly walkthroughs: readonly { readonly steps: readonly { readonly description: string }[] }[];
  };
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(root, name), 'utf8'));
const { contributes } = read('package.json') as Manifest;
const words = read('package.nls.json') as Readonly<Record<string, string>>;

describe('commands', () => {
  const names = new Set(contributes.commands.map(({ command }) => command));
  const shownWhen = (command: string): string | undefined =>
    contributes.menus['commandPalette']?.find((item) => item.command === command)?.when;

  it('all say whose they are in the palette', () =>
    assert.deepEqual(
      contributes.commands.filter(({ category }) => category !== 'Lacuna').map(({ command }) => command),
      [],
    ));
  it('for what waits, and for what runs, are offered only while something does', () => {
    for (const [group, when] of [
      ['lacuna.review.', /isReviewing|false/],
      ['lacuna.background.', /hasBackground/],
      ['lacuna.answer', /isAsking/],
    ] as const)
      for (const name of [...names].filter((one) => one.startsWith(group)))
        assert.match(shownWhen(name) ?? '', when, name);
  });
  it('of menus are all there', () => {
    const used = Object.values(contributes.menus).flatMap((items) => items.map(({ command }) => command));
    assert.deepEqual(
      used.filter((command) => command.startsWith('lacuna.') && !names.has(command)),
      [],
    );
  });
  it('behind the buttons of the walkthrough and of empty views are all there', () => {
    const texts = Object.entries(words).filter(([key]) => /^(?:start|welcome)\./.test(key));
    const used = texts.flatMap(([, text]) => [...text.matchAll(/\(command:([\w.]+)/g)].map(([, name]) => name ?? ''));
    assert.ok(used.length > 8);
    // A view brings the command that goes to it.
    const views = new Set(['lacuna.session.focus']);
    assert.deepEqual(
      used.filter((name) => name.startsWith('lacuna.') && !names.has(name) && !views.has(name)),
      [],
    );
  });
});
