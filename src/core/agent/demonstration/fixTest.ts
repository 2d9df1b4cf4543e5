import type { Plan } from '../../plan/plan.js';
import { failingTests, importsOf, needlessEdit, repairs, testBlock } from './repair.js';
import { isGood, reasonOf, say, want, type Move, type Past, type Scene, type Want } from './scene.js';
import type { Edit } from './toolbox.js';
import { tour, tourSummary } from './tour.js';

const TEST_COMMAND = 'npm test';
const TEST_FILE = /(^|\/)(tests?|__tests__)\/.*\.[cm]?[jt]s$|\.(test|spec)\.[cm]?[jt]s$/;
const MOST_ATTEMPTS = 3;

/** The plan of the scenario, with what each step touches. */
export function fixPlan({ words }: Scene): Plan {
  const { fix } = words;
  const step = (
    id: string,
    task: string,
    kinds: string[],
    resources: string[],
    after: string[],
  ): Plan['steps'][number] => ({
    id,
    task,
    kinds,
    resources,
    after,
  });
  return {
    goal: fix.goal,
    steps: [
      step('look', fix.look, ['ListFiles', 'ReadFile'], ['package.json'], []),
      step('run', fix.run, ['ExecuteShell'], [TEST_COMMAND], ['look']),
      step('read', fix.read, ['ReadFile'], ['test/**', 'src/**'], ['run']),
      step('edit', fix.edit, ['EditFile'], ['src/**'], ['read']),
      step('check', fix.check, ['ExecuteShell'], [TEST_COMMAND], ['edit']),
      step('tidy', fix.tidy, ['ExecuteShell'], ['notes/**', 'dist/**'], ['check']),
    ],
  };
}

/** Fixes a failing test by reading it, proposing one small change at a time, and looking at what really comes back. */
export function fixTest(scene: Scene): Move {
  const { words } = scene;
  const listing = scene.last('list');
  if (listing === null) return want(words.fix.look, list('.', 'look'), read('package.json', 'look'));
  if (!isGood(listing)) return say(words.noFolder(reasonOf(listing)));
  if (!hasTestScript(scene.content('package.json'))) return say(words.fix.noTestScript);
  const run = scene.last('run', ({ command }) => command === TEST_COMMAND);
  if (run === null) return want('', test(scene));
  if (!isGood(run)) return say(words.fix.cannotRun(reasonOf(run)), summary(scene));
  const edit = scene.last('edit');
  const isFresh = scene.at(run) > scene.at(edit);
  if (!isFresh && edit !== null) return afterEdit(scene, edit);
  if (isGreen(run)) return edit === null ? say(words.fix.allGreen) : (tour(scene) ?? say(summary(scene)));
  return repair(scene, run);
}

/** The edit is settled one way or the other, and the tests have not run since. */
function afterEdit(scene: Scene, edit: Past): Move {
  if (isGood(edit)) return want(scene.words.fix.nowCheck, test(scene));
  // Someone else changed the file meanwhile: look at it again, once.
  const wasStale = edit.went !== 'refused' && scene.past.filter(({ wish }) => wish?.type === 'edit').length < 2;
  if (wasStale && edit.wish?.type === 'edit' && !scene.hasTried(edit.wish.path))
    return want('', read(edit.wish.path, 'read'));
  const run = scene.last('run', ({ command }) => command === TEST_COMMAND);
  if (wasStale && run !== null) return repair(scene, run);
  return say(scene.words.fix.notEdited(reasonOf(edit)), summary(scene));
}

function repair(scene: Scene, run: Past): Move {
  const { words } = scene;
  const failing = failingTests(run.data);
  const tests = testFiles(scene);
  const unread = tests.filter((file) => !scene.hasTried(file));
  if (unread.length > 0) return want(words.fix.fails(failing), ...unread.map((file) => read(file, 'read')));
  const found = blockOf(scene, tests, failing);
  if (found === null) return say(words.fix.noIdea, summary(scene));
  const sources = importsOf(scene.content(found.file) ?? '', found.file);
  const unreadSources = sources.filter((file) => !scene.hasTried(file));
  if (unreadSources.length > 0) return want('', ...unreadSources.map((file) => read(file, 'read')));
  return propose(scene, found.title, found.block, sources);
}

function propose(scene: Scene, title: string, block: string, sources: readonly string[]): Move {
  const { words } = scene;
  for (const file of sources) {
    const source = scene.content(file);
    if (source === null) continue;
    const tried = new Set(scene.editsOf(file).map(({ newText }) => newText));
    const attempts = scene.past.filter(({ wish }) => wish?.type === 'edit').length;
    const next =
      attempts < MOST_ATTEMPTS ? repairs(source, block).find(({ newText }) => !tried.has(newText)) : undefined;
    if (next === undefined) continue;
    const extra = attempts === 0 ? needlessEdit(source, next) : null;
    const [from, to] = [next.oldText.trim(), next.newText.trim()];
    const text =
      attempts > 0
        ? words.fix.again(from, to)
        : extra === null
          ? words.fix.propose(file, from, to)
          : words.fix.proposeBoth(file, from, to);
    const edits: readonly Edit[] = extra === null ? [next] : [next, extra];
    return want(text, { wish: { type: 'edit', path: file, edits }, why: words.fix.editWhy(title), step: 'edit' });
  }
  return say(words.fix.noIdea, summary(scene));
}

/** Test files, those that the request speaks of first; a folder that was listed without its content is not looked into. */
function testFiles({ listed, transcript }: Scene): readonly string[] {
  const words = transcript.request.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const speaksOf = (file: string): number => (words.some((word) => file.toLowerCase().includes(word)) ? 0 : 1);
  return listed
    .filter((file) => TEST_FILE.test(file) && !file.includes('node_modules/'))
    .sort((a, b) => speaksOf(a) - speaksOf(b))
    .slice(0, 4);
}

function blockOf(
  scene: Scene,
  tests: readonly string[],
  failing: readonly string[],
): { readonly file: string; readonly title: string; readonly block: string } | null {
  for (const file of tests) {
    for (const title of failing) {
      const block = testBlock(scene.content(file) ?? '', title);
      if (block !== null) return { file, title, block };
    }
  }
  return null;
}

function hasTestScript(manifest: string | null): boolean {
  return /"scripts"\s*:\s*\{[^}]*"test"\s*:/.test(manifest ?? '');
}

const isGreen = (run: Past): boolean =>
  run.exitCode === null ? failingTests(run.data).length === 0 : run.exitCode === 0;

const list = (path: string, step: string): Want => ({ wish: { type: 'list', path }, why: '', step });
const read = (path: string, step: string): Want => ({ wish: { type: 'read', path }, why: '', step });
const test = ({ words, past }: Scene): Want => {
  const isFirst = !past.some(({ wish }) => wish?.type === 'run');
  return {
    wish: { type: 'run', command: TEST_COMMAND },
    why: isFirst ? words.fix.runFirst : words.fix.check,
    step: isFirst ? 'run' : 'check',
  };
};

/** What happened, told from the answers and from nothing else. */
export function summary(scene: Scene): string {
  const { words } = scene;
  const lines: string[] = [];
  const edit = scene.last('edit', () => true);
  if (edit !== null) {
    const { path, edits } = edit.wish;
    if (edit.went === 'done') lines.push(words.sum.edited(path, edits[0]?.newText.trim() ?? ''));
    else if (edit.went === 'partly') lines.push(words.sum.editedPartly(path));
    else lines.push(words.sum.notEdited(reasonOf(edit)));
  }
  const run = scene.last('run', ({ command }) => command === TEST_COMMAND);
  if (run !== null && isGood(run)) lines.push(isGreen(run) ? words.sum.green : words.sum.red);
  lines.push(...tourSummary(scene));
  if (scene.toolbox.isGuarded) lines.push(words.sum.audit);
  return [words.sum.title, ...lines.map((line) => `- ${line}`)].join('\n');
}
