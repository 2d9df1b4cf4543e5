import { claude } from './claude.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { gemini } from './gemini.js';
import type { HookAgent, HookDialect } from './hookEvent.js';
import { vscode } from './vscode.js';

/** The dialect of each agent. */
export const DIALECTS: Readonly<Record<HookAgent, HookDialect>> = { vscode, claude, codex, copilot, gemini, cursor };
