import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, rows, traitsWhere } from '../helpers.js';
import { parseOptions } from '../options.js';

// Source: GNU coreutils 9.5, acl 2.3, chattr(1).

/** Whether a mode lets everyone write, or runs with the owner's rights. */
function opens(mode: string): boolean {
  if (/^[0-7]{1,5}$/.test(mode)) {
    const bits = Number.parseInt(mode, 8);
    return (bits & 0o002) !== 0 || (bits & 0o6000) !== 0;
  }
  return (
    mode.split(',').some((part) => /^(\w*[oa]\w*|)[+=]\w*w/.test(part) && !/^[ug]+[+=]/.test(part)) ||
    /[+=]\w*s/.test(mode)
  );
}

/** Whether a word is a mode, so that what stands behind it is what is changed. */
const isModeText = (text: string): boolean =>
  /^[0-7]{1,5}$|^[ugoa]*[-+=]([rwxXst]*|[ugo])([-+=,][ugoarwxXst]*)*$/.test(text);

/** Sets bits on each path. Content stays, so git and start-up files do not matter; taking rights from a vital folder does. */
function change(run: Run, paths: readonly Word[], traits: readonly Trait[], note: string): void {
  for (const path of paths) run.write(path, { content: 'kept', traits: ['edit', ...traits], note });
}

function chmod(run: Run): void {
  const words = argumentsOf(run.invocation);
  // `chmod -x f`: a mode that begins like an option.
  const isMode = (word: Word): boolean => /^-[rwxXst]+$/.test(word.text);
  const parsed = parseOptions(
    {
      flags:
        '-c|--changes -f|--silent|--quiet -v|--verbose -R|--recursive -h -H -L -P --preserve-root --no-preserve-root --help --version',
      values: '--reference',
      abbreviates: true,
    },
    words.filter((word) => !isMode(word)),
  );
  if (parsed.has('--help', '--version')) return;
  const [first] = parsed.operands;
  const needsMode = !parsed.has('--reference') && !words.some(isMode);
  if (needsMode && first && first.certainty !== 'dynamic' && !isModeText(first.text)) {
    // The mode is missing: what would be set cannot be told, only where.
    change(run, parsed.operands, traitsWhere({ recursive: parsed.has('-R'), 'grants-access': true }), 'rights unknown');
    return;
  }
  const hasMode = needsMode;
  const mode = hasMode ? first : undefined;
  const paths = hasMode ? parsed.operands.slice(1) : parsed.operands;
  if (mode && mode.certainty === 'dynamic') run.unknown(`mode ${mode.raw} of chmod`);
  const traits = traitsWhere({ recursive: parsed.has('-R'), 'grants-access': mode !== undefined && opens(mode.text) });
  change(run, paths, traits, `rights ${mode?.text ?? ''}`.trim());
}

function chown(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-c|--changes -f|--silent|--quiet -v|--verbose -R|--recursive -h|--no-dereference --dereference -H -L -P --preserve-root --no-preserve-root --help --version',
      values: '--reference --from',
      abbreviates: true,
    },
    argumentsOf(run.invocation),
  );
  const paths = parsed.has('--reference') ? parsed.operands : parsed.operands.slice(1);
  const owner = parsed.operands[0];
  // Giving a file to someone takes more rights than an agent has; to the person's own name, or a group of theirs, it does not.
  const isGiven =
    run.invocation.program === 'chown' &&
    owner?.certainty === 'exact' &&
    /^[^:.]/.test(owner.text) &&
    paths !== parsed.operands;
  change(
    run,
    paths,
    traitsWhere({ recursive: parsed.has('-R'), 'grants-access': isGiven }),
    isGiven ? `gives it to ${owner.text}` : 'owner',
  );
}

function setfacl(run: Run): void {
  const parsed = parseOptions(
    {
      flags:
        '-b|--remove-all -k|--remove-default -n|--no-mask -d|--default -R|--recursive -L|--logical -P|--physical --test --mask -v -h',
      values: '-m|--modify -x|--remove -M|--modify-file -X|--remove-file --set --set-file --restore',
    },
    argumentsOf(run.invocation),
  );
  const grants = parsed.has('-m', '-M', '--set', '--set-file', '--restore');
  change(run, parsed.operands, traitsWhere({ recursive: parsed.has('-R'), 'grants-access': grants }), 'access list');
}

/** Marks by which a system warns of what came from elsewhere, or keeps a file as it is. */
const GUARDS = /quarantine|provenance|macl|zone\.identifier|^security\.|^(?:no)?(?:uchg|schg|uappnd|sappnd)$/i;

/** `xattr`: shows; `-w`, `-d` and `-c` change. Source: xattr(1) of macOS, setfattr(1). */
function xattr(run: Run): void {
  const words = argumentsOf(run.invocation);
  const flags = words.filter(({ text }) => /^-/.test(text)).map(({ text }) => text);
  const has = (letter: string): boolean => flags.some((flag) => /^-[a-z]+$/i.test(flag) && flag.includes(letter));
  const plain = words.filter(({ text }) => !text.startsWith('-'));
  const isClearing = run.invocation.program === 'xattr' && has('c');
  const isTaking = has('d') || has('x') || flags.some((flag) => /^--remove/.test(flag));
  const isSetting = has('w') || has('n');
  if (!isClearing && !isTaking && !isSetting) {
    for (const path of plain.slice(has('p') ? 1 : 0)) run.list(path);
    return;
  }
  const paths = isClearing ? plain : plain.slice(isSetting && run.invocation.program === 'xattr' ? 2 : 1);
  const takesGuard = isClearing || (isTaking && GUARDS.test(plain[0]?.text ?? ''));
  change(
    run,
    paths,
    traitsWhere({ recursive: has('r'), 'removes-check': takesGuard }),
    takesGuard ? 'takes the mark away that it came from elsewhere' : 'attributes',
  );
}

function chattr(run: Run): void {
  const takesGuard = argumentsOf(run.invocation).some(({ text }) =>
    /^-[a-zA-Z]*[ia]|^no(?:uchg|schg|uappnd|sappnd)$/.test(text),
  );
  const words = argumentsOf(run.invocation).filter(({ text }) => !/^[-+=][a-zA-Z]+$/.test(text));
  change(
    run,
    words,
    traitsWhere({
      recursive: argumentsOf(run.invocation).some(({ text }) => text === '-R'),
      'removes-check': takesGuard && /^ch/.test(run.invocation.program) && run.invocation.program !== 'chcon',
    }),
    'attributes',
  );
}

/** Programs that change who may do what with a file. */
export const accessing: readonly ProgramEntry[] = [
  ...rows('chmod|gchmod', chmod),
  ...rows('chown|gchown chgrp|gchgrp', chown),
  ...rows('setfacl', setfacl),
  ...rows('chattr chcon restorecon chflags', chattr),
  ...rows('xattr setfattr', xattr),
];
