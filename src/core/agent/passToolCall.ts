import type { Cancel } from '../cancel.js';
import type { Gate } from '../gate/gate.js';
import type { Lacuna } from '../lacuna/lacuna.js';
import { answerFor, malformedAnswer } from './answer.js';
import { inFolders, type Folders } from './folders.js';
import { DEFAULT_LIMITS } from './limits.js';
import { kindOfTool, readCall } from './tools.js';

/** A call of one of our tools by an agent that fills nothing itself. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly origin: Lacuna['origin'];
}

/** Which gate a call goes through, and with what its answer is marked. */
export interface ToolPassage {
  readonly gate: Pick<Gate, 'open' | 'pass'>;
  /** Folders in which relative paths are looked for. */
  readonly folders: Folders;
  readonly cancel: Cancel;
  /** An unguessable word: output is put between two of it. */
  readonly marker: string;
}

/** Takes a call of one of our tools through the gate. Resolves with words for the agent: what came of it, or what is wrong. */
export async function passToolCall(
  { tool, input, origin }: ToolCall,
  { gate, folders, cancel, marker }: ToolPassage,
): Promise<string> {
  const kind = kindOfTool(tool);
  if (kind === null) return malformedAnswer([`${tool}: there is no such tool`], 'Call one that is listed.');
  const read = readCall(kind, input);
  if (!read.ok) return malformedAnswer(read.error.issues, 'Correct it and call again.');
  const placed = inFolders(read.value.proposal, folders);
  if (!placed.ok) return malformedAnswer([placed.error], 'Correct it and call again.');
  const proposal = placed.value;
  const lacuna = gate.open({ proposal, origin, parentId: null, depth: 0, description: read.value.why, planStep: null });
  const passed = await gate.pass(lacuna, cancel, { output: () => undefined });
  return answerFor(proposal, passed, { marker, characters: DEFAULT_LIMITS.resultCharacters });
}

/** What an agent hears when a fault of ours kept us from deciding. */
export const undecided = (error: unknown): string =>
  `NOT DONE: Lacuna could not decide (${error instanceof Error ? error.message : String(error)}). Nothing was done. Tell the person; do not try it another way.`;
