// Lint holds the boundaries that types alone cannot: each forbidden thing has its sentence.
import tseslint from 'typescript-eslint';

const worldChangers = [
  { name: 'node:child_process', message: 'Processes are started in src/executors and listed adapters only.' },
  { name: 'child_process', message: 'Processes are started in src/executors and listed adapters only.' },
];
const noNode = {
  group: [
    'node:*',
    // The slash anchors: without it a folder of ours that is called `net` would be forbidden too.
    '/fs',
    '/path',
    '/os',
    '/crypto',
    '/child_process',
    '/http',
    '/https',
    '/net',
    '/stream',
    '/util',
    '/worker_threads',
  ],
  message: 'The core has no node I/O: ask a port in src/core/ports.ts.',
};
const noVscode = { group: ['vscode'], message: 'Only src/vscode may know the editor.' };

export default tseslint.config(
  { ignores: ['dist/**', 'out/**', 'node_modules/**', '**/*.js', '**/*.mjs', '**/*.cjs'] },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts', 'training/**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "TSAsExpression > TSTypeReference > Identifier[name='Permit']",
          message: 'A permit is minted by the gate, never asserted.',
        },
        {
          selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
          message: 'A double assertion hides a hole in the types: parse the value instead.',
        },
        { selector: 'ExportAllDeclaration', message: 'No barrel files: import from where a thing lives.' },
      ],
    },
  },
  {
    // Ports are classes: a method taken off its object works in a test's plain object and nowhere else.
    files: ['src/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'error' },
  },
  {
    files: ['src/core/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [noNode, noVscode] }],
      'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval', 'console', 'Buffer'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'The core has no clock: time comes in by a port.' },
        { object: 'Math', property: 'random', message: 'The core has no randomness: ids come in by a port.' },
      ],
    },
  },
  {
    files: ['src/adapters/**/*.ts', 'src/hooks/**/*.ts', 'src/cli/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: worldChangers, patterns: [noVscode] }] },
  },
  {
    // These adapters start a process of their own, to read (git, detection) or to think (the reviewer), never to act for an agent.
    files: [
      'src/adapters/git.ts',
      'src/adapters/probe.ts',
      'src/adapters/review/process.ts',
      'src/adapters/sandbox/detect.ts',
      'src/cli/evalSetup.ts',
    ],
    rules: { 'no-restricted-imports': ['error', { patterns: [noVscode] }] },
  },
  { files: ['src/executors/**/*.ts'], rules: { 'no-restricted-imports': ['error', { patterns: [noVscode] }] } },
  { files: ['src/vscode/**/*.ts'], rules: { 'no-restricted-imports': ['error', { paths: worldChangers }] } },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-floating-promises': 'off' },
  },
);
