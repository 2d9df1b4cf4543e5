// Gathers every text that the extension shows into l10n/bundle.l10n.json, from which translators work.
//   npx tsx scripts/l10n.ts
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repository } from './host/place.js';

/** Where the bundle lies; package.json names the folder. */
export const bundleFile = path.join(repository, 'l10n/bundle.l10n.json');

/** Functions of the editor whose first argument people read. */
const SHOWS = new Set(['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'setStatusBarMessage']);

/** Texts by which a translation is found, and calls that no translator could find: `file:line: what is wrong`. */
export interface Texts {
  readonly texts: readonly string[];
  readonly problems: readonly string[];
}

/** Reads all of `src/vscode`. Texts are in order and each there once. */
export function gatherTexts(): Texts {
  const folder = path.join(repository, 'src/vscode');
  const texts = new Set<string>();
  const problems: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const source = ts.createSourceFile(
      name,
      readFileSync(path.join(folder, name), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const problem = (node: ts.Node, what: string): void => {
      problems.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${what}`);
    };
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) look(node, texts, problem);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { texts: [...texts].sort(), problems };
}

function look(call: ts.CallExpression, texts: Set<string>, problem: (node: ts.Node, what: string) => void): void {
  const [first] = call.arguments;
  if (first === undefined) return;
  const called = call.expression.getText();
  if (called === 't' || /\bl10n\.t$/.test(called)) {
    if (ts.isStringLiteralLike(first)) texts.add(first.text);
    else problem(call, 'the text of a translation must be written out');
  } else if (SHOWS.has(called.split('.').at(-1) ?? '') && (ts.isStringLiteral(first) || ts.isTemplateLiteral(first))) {
    if (
      ts.isStringLiteral(first) ||
      first
        .getText()
        .replace(/\$\{[^}]*\}/g, '')
        .trim().length > 3
    )
      problem(call, 'a text for people must go through vscode.l10n.t');
  }
}

/** Text of the bundle. */
export const bundleText = ({ texts }: Texts): string =>
  `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2)}\n`;

if (process.argv[1] === import.meta.filename) {
  const found = gatherTexts();
  for (const problem of found.problems) console.error(problem);
  mkdirSync(path.dirname(bundleFile), { recursive: true });
  writeFileSync(bundleFile, bundleText(found));
  process.exitCode = found.problems.length > 0 ? 1 : 0;
}
