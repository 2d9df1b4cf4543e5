import type { Word } from '../../../effect.js';
import { isRunKey, registryKey, registryResource } from '../../powershell/target.js';
import type { Program, ProgramEntry } from '../../run.js';
import { argumentsOf, rows } from '../helpers.js';
import { slashOptions } from './slash.js';

/** `reg add|delete|query|import|export …`. */
const reg: Program = (run) => {
  const [verb, ...words] = argumentsOf(run.invocation);
  const { operands } = slashOptions(words, 'v t d f ve va s se reg:32 reg:64 c e k', 'v t d f s se');
  const [key, file] = operands;
  const name = key === undefined ? '?' : keyOf(key);
  const resource = registryResource(name);
  const certainty = key?.certainty ?? 'dynamic';
  switch (verb?.text.toLowerCase()) {
    case 'query':
    case 'compare':
    case 'flags':
      run.emit('read', resource, { certainty, traits: /\\(?:sam|security)(?:\\|$)/i.test(name) ? ['secret'] : [] });
      return;
    case 'add':
    case 'copy':
    case 'load':
    case 'restore':
    case 'unload':
      run.emit('write', resource, { certainty, reversible: 'no' });
      if (isRunKey(name))
        run.emit('persist', resource, { certainty, note: 'a key of the registry that makes something run' });
      return;
    case 'delete':
      run.emit('delete', resource, { certainty, reversible: 'no' });
      return;
    case 'import':
      if (key) run.read(key);
      run.emit('write', registryResource('*'), { certainty: 'dynamic', traits: ['mass'] });
      run.emit('persist', registryResource('*'), {
        certainty: 'dynamic',
        note: 'keys of the registry that are not known',
      });
      return;
    case 'export':
    case 'save':
      run.emit('read', resource, {
        certainty,
        traits: /^HKLM\\?(?:sam|security|system)?(?:\\|$)/i.test(name) ? ['secret'] : [],
      });
      if (file) run.write(file);
      return;
    default:
      if (verb !== undefined && verb.text !== '/?') run.unknown(`sub-command ${verb.text} of reg`);
  }
};

/** `HKLM\\x` is a key here without a colon. */
function keyOf(word: Word): string {
  const text = word.text.replace(/^\\\\[^\\]+\\/, '');
  return registryKey(`Registry::${text}`) ?? text;
}

/** The registry's own programs. Source: help of reg.exe and regedit.exe. */
export const registryPrograms: readonly ProgramEntry[] = [
  ...rows('reg', reg),
  ...rows('regedit regedt32', (run) => {
    const { operands } = slashOptions(argumentsOf(run.invocation), 's e i', '');
    for (const word of operands) run.read(word);
    if (operands.length === 0) return;
    run.emit('write', registryResource('*'), { certainty: 'dynamic', traits: ['mass'] });
    run.emit('persist', registryResource('*'), {
      certainty: 'dynamic',
      note: 'keys of the registry that are not known',
    });
  }),
];
