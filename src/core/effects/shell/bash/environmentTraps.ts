import type { Word } from '../../effect.js';
import type { Frame } from '../frame.js';

/** Variables whose value is a command that the shell itself runs. */
const CODE = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4']);
/** Variables that name a file which each new shell reads. */
const STARTUP_FILES = new Set(['BASH_ENV', 'ENV']);
/** Variables that make other programs load code. */
const LOADERS =
  /^(LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH|BASH_LOADABLES_PATH)$/;

/** What setting a variable makes run later: prompt code, start-up files, preloaded libraries. */
export function traps(name: string, value: Word, frame: Frame): void {
  const { run } = frame;
  if (CODE.has(name)) {
    if (name !== 'PROMPT_COMMAND' && !/[`$]\(|`/.test(value.text)) return;
    frame.include(
      { language: 'bash', text: codeOf(name, value), positional: [], environment: new Map(), path: null },
      [],
    );
    run.emit('persist', { type: 'environment', name }, { note: 'the shell runs it at each prompt or command' });
  } else if (STARTUP_FILES.has(name) && value.text !== '') {
    run.script('bash', value);
  } else if (LOADERS.test(name) && value.text !== '' && !isOnlySystem(value.text)) {
    run.emit(
      'execute',
      { type: 'process', process: name },
      {
        traits: ['unreviewed'],
        certainty: value.certainty,
        note: `${name} makes programs load code from ${value.raw}`,
      },
    );
  }
}

const codeOf = (name: string, { text }: Word): string =>
  name === 'PROMPT_COMMAND' ? text : `: "${text.replaceAll('"', '\\"')}"`;

const isOnlySystem = (path: string): boolean =>
  path.split(':').every((part) => part === '' || /^(\/usr|\/lib|\/opt|\$|\/nix)/.test(part));
