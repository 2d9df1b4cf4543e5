import assert from 'node:assert/strict';
import { fileProblem } from '../../../src/core/policy/problem.js';
import { problemsByFile } from '../../../src/core/policy/problemFile.js';

describe('problems by the file that they stand in', () => {
  const files = (path: string, name: string, named: readonly string[]): readonly string[] => [
    ...problemsByFile({
      source: { layer: 'workspace', path, name },
      problems: named.map((one) => fileProblem(one, 'yaml', 'wrong')),
    }).keys(),
  ];

  it('the file itself, also when it has none: what was underlined before is taken back', () =>
    assert.deepEqual(files('/ws/.lacuna/policy.yaml', '.lacuna/policy.yaml', []), ['/ws/.lacuna/policy.yaml']));
  it('a file that it extends, beside it or above it', () =>
    assert.deepEqual(
      files('/ws/.lacuna/policy.yaml', '.lacuna/policy.yaml', ['.lacuna/team.yaml', 'shared/all.yaml']),
      ['/ws/.lacuna/policy.yaml', '/ws/.lacuna/team.yaml', '/ws/shared/all.yaml'],
    ));
  it('a file of the home folder, whose name is not its path', () =>
    assert.deepEqual(files('/home/a/.config/lacuna/policy.yaml', '~/.config/lacuna/policy.yaml', ['~/team.yaml']), [
      '/home/a/.config/lacuna/policy.yaml',
      '/home/a/team.yaml',
    ]));
  it('a file that is named by its whole path', () =>
    assert.deepEqual(files('/ws/.lacuna/policy.yaml', '.lacuna/policy.yaml', ['/etc/team.yaml', 'C:/team.yaml']), [
      '/ws/.lacuna/policy.yaml',
      '/etc/team.yaml',
      'C:/team.yaml',
    ]));
});
