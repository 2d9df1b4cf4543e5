import type { Analysis, Effect, SimpleCommand } from './effect.js';

const SHELLS = /^(?:(?:ba|z|da|k|c|tc|a|fi)?sh|cmd|powershell|pwsh)$/;

/** A shell that reads what it runs from its input: no line, no file, only how it starts. */
const readsItsInput = ({ program, argv }: SimpleCommand): boolean =>
  SHELLS.test(program.toLowerCase()) &&
  argv
    .slice(1)
    .every(({ text }) =>
      /^(?:[-+](?!\w*c)\w+|-s|--(?:login|noprofile|norc|posix|interactive)|[/-](?:q|nop|noprofile|noexit|nologo|ep|bypass|exec|windowstyle|hidden|w))$/i.test(
        text,
      ),
    );

/** A connection by which bytes go both ways, as they are. A look at whether a port is open is none. */
const isRaw = ({ op, resource, traits }: Effect): boolean =>
  op === 'network' &&
  resource.type === 'url' &&
  traits.includes('upload') &&
  (resource.url.startsWith('//') || resource.host === '') &&
  (resource.method === null || resource.method === 'SEND');

/**
 * Marks shells whose input is a connection: whoever is at the other end runs what they like, on this machine's own addresses too,
 * since a port may be forwarded from anywhere. A shell and a connection belong together where code starts both, where they stand in
 * one pipeline, and where the line leads them together by a named pipe or a descriptor. Linear in commands and effects.
 */
export function markRemoteShells(analysis: Analysis): Analysis {
  const raw = analysis.effects.filter(isRaw);
  if (raw.length === 0) return analysis;
  const { commands } = analysis;
  const carriersOf = (at: number): readonly number[] => {
    const found: number[] = [];
    for (let one: number | null = at; one !== null && found.length < 20; one = commands[one]?.carrier ?? null)
      found.push(one);
    return found;
  };
  const connected = new Set(raw.flatMap(({ command }) => (command === null ? [] : carriersOf(command))));
  const pipelines = new Set(raw.flatMap(({ command }) => commands[command ?? -1]?.pipeline ?? []));
  const isLed =
    commands.some(
      ({ program, argv }) =>
        program === 'mkfifo' || program === 'coproc' || (program === 'mknod' && argv.some(({ text }) => text === 'p')),
    ) || raw.some(({ command }) => /^(?:exec|ztcp|)$/.test(commands[command ?? -1]?.program ?? ''));
  const isRemote = (at: number, command: SimpleCommand): boolean =>
    readsItsInput(command) &&
    (isLed || pipelines.has(command.pipeline) || carriersOf(at).some((one) => connected.has(one)));
  const remote = new Set(commands.flatMap((command, at) => (isRemote(at, command) ? [at] : [])));
  if (remote.size === 0) return analysis;
  const effects = analysis.effects.map((effect): Effect =>
    effect.op === 'execute' &&
    effect.command !== null &&
    remote.has(effect.command) &&
    !effect.traits.includes('remote-code')
      ? {
          ...effect,
          traits: [...effect.traits, 'remote-code'],
          note: 'a shell whose input is a connection: the other end says what is run',
        }
      : effect,
  );
  return { ...analysis, effects };
}
