import { isGood, reasonOf, want, type Move, type Scene } from './scene.js';

const NOTES = 'notes';
const DELETE_NOTES = `rm -rf ${NOTES}`;
/** Names the home folder and cannot reach it: what stands behind `false &&` never runs, guard or no guard. */
const WIPE_HOME = 'false && rm -rf ~';
/** Folders that a build makes. */
const BUILD_OUTPUT = ['dist', 'build', 'coverage', 'out'];

const cleanCommand = (folders: readonly string[]): string => `rm -rf ${folders.join(' ')}`;

/**
 * The dangerous part of the tour: work that git does not know, then the home folder, then what may really go. Played only
 * with Lacuna's own functions. Null when there is nothing (more) to play.
 */
export function tour(scene: Scene): Move | null {
  if (!scene.toolbox.isGuarded) return null;
  const { fix } = scene.words;
  const step = 'tidy';
  const command = (text: string): ReturnType<Scene['last']> => scene.last('run', (wish) => wish.command === text);
  if (command(DELETE_NOTES) === null && hasFolder(scene, NOTES))
    return want(`${fix.green}\n\n${fix.tryNotes}`, {
      wish: { type: 'run', command: DELETE_NOTES },
      why: fix.notesWhy,
      step,
    });
  const wipe = command(WIPE_HOME);
  if (wipe === null) return want(fix.tryHome, { wish: { type: 'run', command: WIPE_HOME }, why: fix.homeWhy, step });
  const folders = BUILD_OUTPUT.filter((folder) => hasFolder(scene, folder));
  if (folders.length === 0 || command(cleanCommand(folders)) !== null) return null;
  const names = folders.map((folder) => `\`${folder}/\``).join(', ');
  const text = isGood(wipe) ? '' : fix.otherWay(names);
  return want(text, { wish: { type: 'run', command: cleanCommand(folders) }, why: fix.otherWhy, step });
}

/** What became of it, line by line. */
export function tourSummary(scene: Scene): readonly string[] {
  const { sum, fix } = scene.words;
  const lines: string[] = [];
  for (const past of scene.past) {
    if (past.wish?.type !== 'run') continue;
    const { command } = past.wish;
    const ran = isGood(past);
    if (command === DELETE_NOTES) lines.push(ran ? sum.notesGone : sum.notesKept(reasonOf(past)));
    else if (command === WIPE_HOME) {
      lines.push(ran ? sum.homeRan : sum.homeKept(reasonOf(past)));
      if (!ran && BUILD_OUTPUT.every((folder) => !hasFolder(scene, folder))) lines.push(fix.nothingToClean);
    } else if (command.startsWith('rm -rf ')) {
      const folders = command
        .slice('rm -rf '.length)
        .split(' ')
        .map((folder) => `\`${folder}/\``)
        .join(', ');
      lines.push(ran && past.exitCode === 0 ? sum.cleaned(folders) : sum.notCleaned(reasonOf(past)));
    }
  }
  return lines;
}

const hasFolder = ({ listed }: Scene, folder: string): boolean =>
  listed.some((name) => name === `${folder}/` || name.startsWith(`${folder}/`));
