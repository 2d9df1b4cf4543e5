/** Where a recorded command ran, in the form of a trace. */
export interface RecordedPlace {
  readonly workspace: string;
  readonly home: string;
  readonly platform?: 'darwin';
}

/** Folders at the top of a container in which benchmarks of agents lay out their task. */
const TASK_FOLDER = /(?:^|[\s"'=(])(\/(?:testbed|workspace|system|repo|app))(?=[\s/"');]|$)/;

/**
 * The workspace of a command that an agent once ran, as far as its own paths tell: the checkout of the repository that it was
 * recorded in, by its folder's name, or the folder that a benchmark lays its task out in. Null where nothing tells, and for
 * commands that nobody ran, since then a path says nothing about a workspace.
 */
export function recordedPlace(command: string, actor: string, repository: string): RecordedPlace | null {
  if (actor !== 'agent') return null;
  const name = repository.replace(/^.*\//, '');
  const checkout = name === '' ? null : checkoutIn(command, name);
  if (checkout !== null) {
    const [home = '/root'] = /^\/(?:Users|home)\/[^/]+/.exec(checkout) ?? [];
    return { workspace: checkout, home, ...(checkout.startsWith('/Users/') ? { platform: 'darwin' } : {}) };
  }
  const task = TASK_FOLDER.exec(command)?.[1];
  return task === undefined ? null : { workspace: task, home: '/root' };
}

/** The outermost folder of that name below someone's home. */
function checkoutIn(command: string, name: string): string | null {
  for (const [path] of command.matchAll(/\/(?:Users|home)\/[\w.-]+(?:\/[\w.@+-]+)+/g)) {
    const parts = path.split('/');
    const at = parts.findIndex((part, index) => index > 2 && part.toLowerCase() === name.toLowerCase());
    if (at > 0) return parts.slice(0, at + 1).join('/');
  }
  return null;
}
