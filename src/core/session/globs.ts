import picomatch from 'picomatch';

const tests = new WeakMap<readonly string[], (name: string) => boolean>();

/**
 * Whether a name matches one of the globs. A glob without wildcards, and one that ends in `/**`, takes the folder itself and all
 * below it. Dot files count, case does not. Remembered per list.
 */
export function globTest(globs: readonly string[]): (name: string) => boolean {
  const known = tests.get(globs);
  if (known !== undefined) return known;
  const all = globs.flatMap((glob) => {
    const plain = glob.replace(/^\.\//, '').replace(/(?<=.)\/$/, '');
    if (plain === '.' || plain === '') return ['**'];
    return /[*?[{]/.test(plain) ? [plain, plain.replace(/\/\*\*$/, '')] : [plain, `${plain}/**`];
  });
  const test = picomatch(all, { dot: true, nocase: true });
  const cautious = (name: string): boolean => name !== '' && test(name);
  tests.set(globs, cautious);
  return cautious;
}
