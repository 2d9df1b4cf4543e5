import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { SandboxRuntimeConfigSchema } from '@anthropic-ai/sandbox-runtime';
import { shellArgv } from '../../../src/executors/process/shells.js';
import { runtimeLine, runtimeSettings } from '../../../src/executors/sandbox/runtimeLine.js';

const limits = { fileSizeMiB: 64, memoryMiB: 512, processes: 128 };

describe('what the sandbox library is told (macOS, Windows)', () => {
  const walls = {
    hosts: ['registry.npmjs.org'],
    writable: ['/w'],
    unreadable: ['/home/u/.ssh', '/w/.env'],
    persistent: ['/w/.git/hooks', '/w/.vscode/tasks.json'],
    opened: [],
  };

  it('is what it can read: writes in the workspace but for what runs later, secrets unreadable, hosts by list', () => {
    const settings = runtimeSettings(walls);
    assert.deepEqual(SandboxRuntimeConfigSchema.parse(settings), settings);
    assert.deepEqual(settings.filesystem, {
      denyRead: ['/home/u/.ssh', '/w/.env'],
      allowWrite: ['/w'],
      denyWrite: ['/w/.git/hooks', '/w/.vscode/tasks.json'],
    });
    assert.deepEqual(settings.network.allowedDomains, ['registry.npmjs.org']);
  });

  it('has no network where no host is listed', () => {
    assert.deepEqual(runtimeSettings({ ...walls, hosts: [] }).network.allowedDomains, []);
  });

  it('lets exactly that be written which was opened', () => {
    const { filesystem } = runtimeSettings({ ...walls, opened: ['/w/.vscode'] });
    assert.deepEqual(filesystem.allowWrite, ['/w', '/w/.vscode']);
    assert.deepEqual(filesystem.denyWrite, ['/w/.git/hooks']);
  });

  for (const words of [
    ['printf', '%s\\n', 'a b', "it's", '$HOME `id` "x"', 'line\nbreak', '', '; exit 3', '\\', '*'],
    ['printf', '%s\\n', '-n', '>out', '|cat', "'''"],
  ])
    it(`is a line that a shell reads back word for word: ${JSON.stringify(words.slice(2))}`, () => {
      const { command, shell } = runtimeLine(words, limits, 'darwin');
      assert.equal(shell, undefined);
      const read = execFileSync('/bin/bash', ['-c', command], { encoding: 'utf8' });
      assert.equal(read, `${words.slice(2).join('\n')}\n`);
    });

  it('sets limits before the command', () => {
    const { command } = runtimeLine(['bash', '-c', 'ulimit -f'], limits, 'darwin');
    assert.equal(execFileSync('/bin/bash', ['-c', command], { encoding: 'utf8' }).trim(), String(64 * 1024));
  });

  it('hands a PowerShell line to PowerShell alone', () => {
    const argv = [
      'C:\\pwsh.exe',
      '-NoProfile',
      '-Command',
      'Get-ChildItem | Where-Object { $_.Length -gt 1 } > out.txt',
    ];
    assert.deepEqual(runtimeLine(argv, limits, 'win32'), {
      command: 'Get-ChildItem | Where-Object { $_.Length -gt 1 } > out.txt',
      shell: { exe: 'C:\\pwsh.exe', args: ['-NoProfile', '-Command'] },
    });
  });

  it('leaves the outer quotes of a cmd line to the library', () => {
    const argv = ['C:\\Windows\\System32\\cmd.exe', '/d', '/s', '/c', '"echo "a b" & dir"'];
    assert.deepEqual(runtimeLine(argv, limits, 'win32'), {
      command: 'echo "a b" & dir',
      shell: { exe: 'C:\\Windows\\System32\\cmd.exe', args: ['/d', '/s', '/c'] },
    });
  });

  it('fits what a shell is started with', () => {
    const argv = shellArgv('bash', 'echo "$1"; true', process.env['PATH'] ?? '');
    assert.ok(argv);
    assert.match(
      runtimeLine(argv, limits, 'darwin').command,
      /exec '[^']*bash' '--noprofile' '--norc' '-c' 'echo "\$1"; true' 2>&1$/,
    );
  });
});
