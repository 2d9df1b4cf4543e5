import type { Word } from '../../effect.js';
import type { Frame } from '../frame.js';
import { hidesTraces, keepsNothing } from './traces.js';

/** Variables whose value is a command that the shell itself runs. */
const CODE = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4']);
/** Variables that name a file which each new shell reads. */
const STARTUP_FILES = new Set(['BASH_ENV', 'ENV']);
/** Variables that put code of one's own into every program that starts: nothing is built or tested by them. */
const INTRUDERS = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_LOADABLES_PATH)$/;
/** Variables that name the shell by which a package manager runs its scripts. */
const SCRIPT_SHELLS = /^(?:npm|NPM)_(?:config|CONFIG)_(?:script_shell|SCRIPT_SHELL)$/;
const USUAL_SHELLS =
  /^(?:|(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:ba|z|da|k)?sh|pwsh|powershell(?:\.exe)?|cmd(?:\.exe)?)$/;
/** Variables that make other programs load code. */
const LOADERS =
  /^(LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_INSERT_LIBRARIES|DYLD_LIBRARY_PATH|DYLD_FRAMEWORK_PATH|BASH_LOADABLES_PATH)$/;

/** Variables that name a program which others start to show, edit or open something; git's own are read where git runs. */
const HELPERS = /^(?!GIT_)(?:(?:[A-Z]+_)*(?:MANPAGER|PAGER|EDITOR|BROWSER)|VISUAL|FCEDIT|LESSOPEN|LESSCLOSE)$/;
/** What they are mostly set to. */
const USUAL_HELPERS =
  /^(?:|none|true|false|:|cat|(?:less|more|most|bat|delta|head|vi|vim|nvim|nano|emacs|micro|helix|hx|code|cursor|subl|open|xdg-open|firefox|chromium|google-chrome|echo)(?: -[\w-]+)*)$/;

/** Variables with options of an interpreter: which options name a file that it loads first, and the file's language. */
const OPTIONS_OF: ReadonlyMap<string, readonly [RegExp, 'javascript' | 'python' | 'ruby' | 'perl']> = new Map([
  [
    'NODE_OPTIONS',
    [/(?:--require|-r|--import|--loader|--experimental-loader)[= ]("[^"]+"|'[^']+'|\S+)/g, 'javascript'],
  ],
  ['PYTHONSTARTUP', [/^(.+)$/g, 'python']],
  ['RUBYOPT', [/-r\s?(\S+)/g, 'ruby']],
  ['PERL5OPT', [/-M\s?(\S+)/g, 'perl']],
] as const);

/** What setting a variable makes run later: prompt code, start-up files, preloaded libraries. */
export function traps(name: string, value: Word, frame: Frame): void {
  const { run } = frame;
  if (keepsNothing(name, value.text)) hidesTraces(run);
  if (CODE.has(name)) {
    if (name !== 'PROMPT_COMMAND' && !/[`$]\(|`/.test(value.text)) return;
    frame.include(
      { language: 'bash', text: codeOf(name, value), positional: [], environment: new Map(), path: null },
      [],
    );
    run.emit('persist', { type: 'environment', name }, { note: 'the shell runs it at each prompt or command' });
  } else if (OPTIONS_OF.has(name)) {
    const [options, language] = OPTIONS_OF.get(name) ?? [/$^/g, 'javascript'];
    for (const [, file = ''] of value.text.matchAll(options)) {
      const text = file.replace(/^["']|["']$/g, '');
      // By its name alone it is a module that the project depends on.
      if (/[\\/]|\.[cm]?[jt]s$|\.py$|\.rb$/.test(text)) run.script(language, { ...value, text });
    }
  } else if (HELPERS.test(name)) {
    if (value.certainty !== 'exact' || !USUAL_HELPERS.test(value.text.trim()))
      run.code('sh', { ...value, text: value.text.replace(/^\|-?/, '') });
  } else if (STARTUP_FILES.has(name) && value.text !== '') {
    run.script('bash', value);
    // `ENV` is more often the name of a stage than a file.
    if (name !== 'ENV') sideDoor(name, value, frame);
  } else if (SCRIPT_SHELLS.test(name)) {
    if (value.certainty !== 'exact' || !USUAL_SHELLS.test(value.text)) sideDoor(name, value, frame);
  } else if (LOADERS.test(name) && value.text !== '' && !isOnlySystem(value.text)) {
    run.emit(
      'execute',
      { type: 'process', process: name },
      {
        traits: INTRUDERS.test(name) && !isSanitizer(value.text) ? ['unreviewed', 'covert'] : ['unreviewed'],
        certainty: value.certainty,
        note: `${name} makes programs load code from ${value.raw}`,
      },
    );
  }
}

/** Says that code comes in by a variable that is not made for it. */
const sideDoor = (name: string, value: Word, { run }: Frame): void =>
  run.emit(
    'execute',
    { type: 'process', process: value.text },
    { traits: ['covert', 'unreviewed'], certainty: value.certainty, note: `${name} makes programs run it` },
  );

/** Checkers of memory and kin, which are loaded that way by their own manuals. */
const isSanitizer = (path: string): boolean =>
  /(?:lib(?:[atlm]san|ubsan|clang_rt|jemalloc|tcmalloc|mimalloc|faketime|eatmydata|gcov|SegFault|heaptrack))|print-file-name/.test(
    path,
  );

const codeOf = (name: string, { text }: Word): string =>
  name === 'PROMPT_COMMAND' ? text : `: "${text.replaceAll('"', '\\"')}"`;

const isOnlySystem = (path: string): boolean =>
  path.split(':').every((part) => part === '' || /^(\/usr|\/lib|\/opt|\$|\/nix)/.test(part));
