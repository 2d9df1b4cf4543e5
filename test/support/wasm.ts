import { fileURLToPath } from 'node:url';

/** Folder of a WASM file where npm has put it: the engine and the grammars come from different packages. */
export const wasmFolder = (file: string): string =>
  fileURLToPath(
    new URL(
      file === 'web-tree-sitter.wasm'
        ? '../../node_modules/web-tree-sitter'
        : '../../node_modules/@vscode/tree-sitter-wasm/wasm',
      import.meta.url,
    ),
  );
