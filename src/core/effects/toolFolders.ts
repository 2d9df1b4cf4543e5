import type { Facts } from './facts.js';

/** Where package managers keep tools that are for every project of the machine. Sources: the managers' own manuals. */
const FOLDERS = {
  npm: '/usr/local/lib/node_modules',
  pnpm: '~/.local/share/pnpm',
  yarn: '~/.config/yarn/global',
  bun: '~/.bun/install/global',
  cargo: '~/.cargo/bin',
  go: '~/go/bin',
  pypi: '~/.local/bin',
  nuget: '~/.dotnet/tools',
} as const;

/** A manager whose tools land outside the workspace. */
export type ToolManager = keyof typeof FOLDERS;

type Machine = Pick<Facts, 'home' | 'platform'>;

/** The folder of a manager's tools, absolute, where nobody has set it up elsewhere. */
export const toolFolder = (manager: ToolManager, { home, platform }: Machine): string =>
  (platform === 'win32' && manager === 'npm' ? '~/AppData/Roaming/npm' : FOLDERS[manager]).replace(/^~/, home);

/** Whether a path is such a folder. */
export const isToolFolder = (path: string, machine: Machine): boolean =>
  (Object.keys(FOLDERS) as ToolManager[]).some((manager) => toolFolder(manager, machine) === path);
