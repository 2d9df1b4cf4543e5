import type { Effect } from './effects/effect.js';

/** How one thing in a workspace stood when a checkpoint was taken. */
export type EntryState =
  | { readonly type: 'file'; readonly mode: number; readonly sizeBytes: number; readonly hash: string }
  /** Kept by reference: `kept` says whether its bytes are in the store, as a clone (or copy) or a second name of the file. */
  | {
      readonly type: 'large';
      readonly mode: number;
      readonly sizeBytes: number;
      readonly mtimeMs: number;
      readonly sample: string;
      readonly kept: 'clone' | 'link' | 'no';
    }
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'folder'; readonly mode: number }
  /** A repository inside the workspace, left alone. */
  | { readonly type: 'repository' }
  /** Not looked into: ignored and large, a device, a socket. */
  | { readonly type: 'omitted'; readonly why: string };

/** A file that is kept by reference. */
export type LargeState = Extract<EntryState, { readonly type: 'large' }>;

/** A checkpoint, as lists show it. */
export interface CheckpointInfo {
  readonly id: string;
  /** Position in the order of taking, from 1. */
  readonly seq: number;
  readonly atMs: number;
  /** In words: "before ExecuteShell: npm test". */
  readonly why: string;
  readonly lacunaId: string | null;
  /** Workspace folders and the commit that each one's HEAD named then; null without git or commits. */
  readonly roots: readonly { readonly path: string; readonly head: string | null }[];
  readonly files: number;
  readonly sizeBytes: number;
}

/** One difference between two states of a workspace. `from` null: it was not there; `to` null: it is not there. */
export interface Change {
  /** Absolute, canonical. */
  readonly path: string;
  readonly from: EntryState | null;
  readonly to: EntryState | null;
}

/** What a restore would do, and what it could not. */
export interface RestorePreview {
  readonly checkpoint: CheckpointInfo;
  readonly changes: readonly Change[];
  /** Sentences about what stays as it is: nested repositories, ignored folders, files kept by reference only. */
  readonly cannot: readonly string[];
}

/** Reads checkpoints back. Changes nothing but its own storage. */
export interface CheckpointSource {
  /** Oldest first. */
  list(): Promise<readonly CheckpointInfo[]>;
  /** What leads from one checkpoint to another, at and below the given paths; all when none is given. */
  changes(fromId: string, toId: string, paths: readonly string[]): Promise<readonly Change[]>;
  /** Bytes of a file by its hash, checked; null when they are not in the store. */
  read(hash: string): Promise<Uint8Array | null>;
  /** Path in the store of a large file that was kept; null when it was not, or its content is no longer what it was. */
  large(state: LargeState): Promise<string | null>;
}

/** Whether a path is one of these or lies below one; all are when none is given. */
export const isSelected = (path: string, paths: readonly string[]): boolean =>
  paths.length === 0 || paths.some((one) => path === one || path.startsWith(`${one}/`));

/** Whether two states are the same for a restore. */
export function isSameState(a: EntryState | null, b: EntryState | null): boolean {
  if (a === null || b === null) return a === b;
  switch (a.type) {
    case 'file':
      return b.type === 'file' && a.hash === b.hash && a.mode === b.mode;
    case 'large':
      return b.type === 'large' && a.sample === b.sample && a.sizeBytes === b.sizeBytes && a.mode === b.mode;
    case 'link':
      return b.type === 'link' && a.target === b.target;
    case 'folder':
      return b.type === 'folder' && a.mode === b.mode;
    case 'repository':
      return b.type === 'repository';
    case 'omitted':
      return b.type === 'omitted';
  }
}

/** A change in words that a restore cannot make; null when it can. */
export function cannotRestore({ path, from, to }: Change): string | null {
  if (from?.type === 'repository' || to?.type === 'repository') return `${path}: a repository of its own, left alone`;
  if (to?.type === 'omitted') return `${path}: not in the checkpoint (${to.why})`;
  if (from?.type === 'omitted') return `${path}: left as it is (${from.why})`;
  if (to?.type === 'large' && to.kept === 'no') return `${path}: too large, only a reference to it was kept`;
  return null;
}

/** What later steps did that no restore of files undoes, in sentences, each once. */
export function cannotUndo(effects: readonly Effect[]): readonly string[] {
  const said = new Set<string>();
  for (const { op, resource } of effects) {
    switch (resource.type) {
      case 'url':
        said.add(`A request to ${resource.host || 'some host'} was sent.`);
        break;
      case 'table':
        if (op !== 'read') said.add(`Table ${resource.table} of ${resource.database} was changed.`);
        break;
      case 'package':
        said.add(`Package ${resource.name} was installed or removed.`);
        break;
      case 'ref':
        said.add(`Git's ${resource.ref} was changed${resource.remote === null ? '' : ` on ${resource.remote}`}.`);
        break;
      case 'process':
        if (op === 'kill') said.add(`A process was ended: ${resource.process}.`);
        break;
      case 'remote':
        if (op !== 'read' && op !== 'list') said.add(`${resource.service}: ${resource.name} was changed.`);
        break;
      case 'tool':
        said.add(`The tool ${resource.tool} was called.`);
        break;
      case 'path':
        if (!['read', 'list', 'execute'].includes(op) && !['workspace', 'unknown'].includes(resource.place))
          said.add(`${resource.path} lies outside of the workspace.`);
        break;
      case 'agent-config':
      case 'environment':
      case 'unknown':
        break;
    }
  }
  return [...said];
}
