import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

// Puts all sources into one file. Good enough for a shop of this size.
mkdirSync('dist', { recursive: true });
const sources = readdirSync('src').sort();
writeFileSync('dist/shop.txt', sources.map((name) => `// ${name}\n${readFileSync(`src/${name}`, 'utf8')}`).join('\n'));
console.log(`dist/shop.txt: ${sources.length} files`);
