import type { Plan } from '../../plan/plan.js';
import { isGood, reasonOf, say, want, type Move, type Scene, type Want } from './scene.js';

const SOURCE = /\.[cm]?[jt]sx?$|\.py$|\.go$|\.rs$/;
const MOST_FILES = 8;

export function explainPlan({ words }: Scene): Plan {
  const { explain } = words;
  return {
    goal: explain.goal,
    steps: [
      { id: 'list', task: explain.list, kinds: ['ListFiles'], resources: ['.'], after: [] },
      {
        id: 'read',
        task: explain.read,
        kinds: ['ReadFile'],
        resources: ['package.json', 'README.md', 'src/**'],
        after: ['list'],
      },
    ],
  };
}

/** Explains a project from what its files really say: description, scripts, and what each source offers. */
export function explainProject(scene: Scene): Move {
  const { words, listed } = scene;
  const listing = scene.last('list');
  if (listing === null) return want(words.explain.begin, { wish: { type: 'list', path: '.' }, why: '', step: 'list' });
  if (!isGood(listing)) return say(words.noFolder(reasonOf(listing)));
  const files = filesToRead(listed);
  const unread = files.filter((file) => !scene.hasTried(file));
  if (unread.length > 0) return want('', ...unread.map(read));
  const refused = scene.past.find((past) => past.wish?.type === 'read' && !isGood(past));
  const lines = files.flatMap((file) => describe(scene, file));
  if (lines.length === 0) return say(words.explain.notRead(refused === undefined ? '' : reasonOf(refused)));
  return say(...headOf(scene), `${words.explain.files}:\n${lines.join('\n')}`);
}

const read = (path: string): Want => ({ wish: { type: 'read', path }, why: '', step: 'read' });

function filesToRead(listed: readonly string[]): readonly string[] {
  const isOwn = (file: string): boolean => !/(^|\/)(node_modules|dist|build|out|coverage|\.git)\//.test(file);
  const first = ['package.json', 'README.md'].filter((file) => listed.includes(file));
  const sources = listed.filter((file) => SOURCE.test(file) && isOwn(file) && !/test|spec/.test(file));
  return [...first, ...sources].slice(0, MOST_FILES);
}

function headOf(scene: Scene): readonly string[] {
  const manifest = scene.content('package.json') ?? '';
  const field = (name: string): string => new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(manifest)?.[1] ?? '';
  const scripts = [...(/"scripts"\s*:\s*\{([^}]*)\}/.exec(manifest)?.[1] ?? '').matchAll(/"([^"]+)"\s*:\s*"([^"]*)"/g)];
  const prose = (scene.content('README.md') ?? '').split('\n').find((line) => /^[\p{L}]/u.test(line)) ?? '';
  return [
    scene.words.explain.title(field('name') || 'README.md'),
    field('description') || prose,
    scripts.length === 0
      ? ''
      : `${scene.words.explain.scripts}:\n${scripts.map((match) => `- \`${match[1] ?? ''}\`: \`${match[2] ?? ''}\``).join('\n')}`,
  ];
}

function describe(scene: Scene, file: string): readonly string[] {
  const content = scene.content(file);
  if (content === null || !SOURCE.test(file)) return [];
  const names = [
    ...content.matchAll(/^export\s+(?:default\s+)?(?:async\s+)?(?:function|class|const|let)\s+([A-Za-z_$][\w$]*)/gm),
    ...content.matchAll(/^(?:def|func|pub fn)\s+([A-Za-z_]\w*)/gm),
  ].map((match) => `\`${match[1] ?? ''}\``);
  const comment = /\/\*\*?\s*\*?\s*([^\n*]+)/.exec(content)?.[1]?.trim() ?? '';
  const offers = names.length === 0 ? '' : scene.words.explain.offers(names.join(', '));
  return [
    `- \`${file}\`${[offers, comment].filter(Boolean).length === 0 ? '' : `: ${[offers, comment].filter(Boolean).join('. ')}`}`,
  ];
}
