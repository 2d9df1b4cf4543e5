import assert from 'node:assert/strict';
import type { Facts, Platform } from '../../../src/core/effects/facts.js';
import { canonicalPath, isHarmlessDevice, joinPath, placeOf, shownPath } from '../../../src/core/effects/paths.js';

/** Facts of a machine where nothing can be looked at but the given links. */
export const blindFacts = (platform: Platform, links: Readonly<Record<string, string>> = {}): Facts => ({
  platform,
  home: platform === 'win32' ? 'C:/Users/dev' : '/home/dev',
  roots: [platform === 'win32' ? 'C:/Users/dev/shop' : '/home/dev/shop'],
  temporary: [],
  isCaseSensitive: platform === 'linux',
  entry: () => 'unknown',
  realPath: (path) => {
    for (const [from, to] of Object.entries(links)) {
      if (path === from || path.startsWith(`${from}/`)) return to + path.slice(from.length);
    }
    return path;
  },
  readText: () => null,
  sizeBytes: () => null,
  list: () => null,
  gitState: () => 'unknown',
  uncommitted: () => null,
  repository: () => null,
  environment: () => undefined,
});

describe('paths', () => {
  const joins: readonly (readonly [Platform, string, string, string])[] = [
    ['linux', '/a/b', 'c', '/a/b/c'],
    ['linux', '/a/b', '../../../x', '/x'],
    ['linux', '/a/b', './/c/./d/', '/a/b/c/d'],
    ['linux', '/a', '/etc//passwd', '/etc/passwd'],
    ['linux', '/a', 'e\u0301', '/a/\u00e9'],
    ['win32', 'C:/a', 'b\\c', 'C:/a/b/c'],
    ['win32', 'C:/a', 'd:\\x', 'D:/x'],
    ['win32', 'D:/a', '\\x', 'D:/x'],
    ['win32', 'C:/a', '\\\\?\\C:\\x\\y', 'C:/x/y'],
    ['win32', 'C:/a', '\\\\?\\UNC\\srv\\s', '//srv/s'],
    ['win32', 'C:/a', '\\\\srv\\share\\x', '//srv/share/x'],
    ['win32', 'C:/a', 'f.txt:stream', 'C:/a/f.txt'],
    ['win32', 'C:/a', 'f.txt. .', 'C:/a/f.txt'],
    ['win32', 'C:/a', '/c/Users', 'C:/Users'],
  ];
  for (const [platform, cwd, text, want] of joins) {
    it(`${platform}: ${text} in ${cwd} is ${want}`, () => assert.equal(joinPath(cwd, text, platform), want));
  }

  const places: readonly (readonly [Platform, string, string])[] = [
    ['linux', '/home/dev/shop', 'workspace'],
    ['linux', '/home/dev/shop/src/a', 'workspace'],
    ['linux', '/home/dev/shop2', 'home'],
    ['linux', '/tmp/x', 'temp'],
    ['linux', '/', 'system'],
    ['linux', '/etc/passwd', 'system'],
    ['linux', '/dev/sda', 'device'],
    ['linux', '/data/x', 'outside'],
    ['darwin', '/private/var/folders/zz/x', 'temp'],
    ['darwin', '/System/Library', 'system'],
    ['win32', 'c:/users/DEV/shop/x', 'workspace'],
    ['win32', 'C:/Windows/System32', 'system'],
    ['win32', 'D:/data', 'outside'],
  ];
  for (const [platform, path, want] of places) {
    it(`${platform}: ${path} lies in ${want}`, () => assert.equal(placeOf(path, blindFacts(platform)), want));
  }

  it('a link in the middle is followed, one in last place only when asked', () => {
    const facts = blindFacts('linux', { '/home/dev/shop/out': '/etc' });
    assert.equal(canonicalPath('out/passwd', '/home/dev/shop', facts, 'keep'), '/etc/passwd');
    assert.equal(canonicalPath('out', '/home/dev/shop', facts, 'keep'), '/home/dev/shop/out');
    assert.equal(canonicalPath('out', '/home/dev/shop', facts, 'follow'), '/etc');
    assert.equal(canonicalPath('out/', '/home/dev/shop', facts, 'keep'), '/etc');
  });

  it('sinks without content are harmless, disks are not', () => {
    for (const path of ['/dev/null', '/dev/stdout', '/dev/fd/2']) assert.ok(isHarmlessDevice(path, 'linux'), path);
    for (const path of ['/dev/sda', '/dev/mem', '/dev/nvme0n1']) assert.ok(!isHarmlessDevice(path, 'linux'), path);
    assert.ok(isHarmlessDevice('C:/x/NUL', 'win32'));
  });

  it('paths are shown short', () => {
    const facts = blindFacts('linux');
    assert.equal(shownPath('/home/dev/shop/a/b', facts), 'a/b');
    assert.equal(shownPath('/home/dev/shop', facts), '.');
    assert.equal(shownPath('/home/dev/.ssh/id', facts), '~/.ssh/id');
    assert.equal(shownPath('/etc/x', facts), '/etc/x');
  });
});
