import { existsSync } from 'node:fs';
import path from 'node:path';
import { installedWasm, WASM_FILES, type WasmFolders } from '../adapters/treeSitter.js';

/** The parser's files: beside the bundle when there is one, else as npm installed them. */
export function wasmFolder(): WasmFolders {
  return existsSync(path.join(__dirname, WASM_FILES.engine))
    ? __dirname
    : installedWasm(path.resolve(__dirname, '../..'));
}
