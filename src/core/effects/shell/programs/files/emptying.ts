// Whether a script that changes a file in place leaves nothing of what it held. Then the change is no edit: what no commit holds is
// lost. Each answers false where it cannot tell.

/** A command of ed, ex or vi that takes all lines, or the text of all lines: `%d`, `1,$d`, `,d`, `1,$c`, or a substitution of all. */
const TAKES_ALL_LINES =
  /^(?:(?:%|[01]?,\$?|[01],\$)\s*(?:d(?:elete)?(?:\s+_)?|c|g\/[.^]?\.?\*?\/d)|g(?:lobal)?\/(?:\.|\^|\.\*|\$)?\/\s*d(?:elete)?|(?:%|[01]?,\$?)\s*s(?:ubstitute)?([/#|,])\^?\.\*\$?\1\1[g&]*|v(?:global)?\/[^/]*\/\s*d(?:elete)?|(?:norm(?:al)?!?\s+)gg(?:V?dG|"_dG))$/;

/** Whether one of some commands of ed, ex or vi takes all that a file holds. */
export const editorEmpties = (commands: readonly string[]): boolean =>
  commands.some((command) =>
    command.split(/\|(?=\s*[a-z%,\d])/i).some((part) => TAKES_ALL_LINES.test(part.replace(/^[\s:+]+/, '').trim())),
  );

/** Patterns of awk that no line fits. */
const NEVER = /^(?:0|""|!1|F?NR\s*(?:<\s*[01]|<=\s*0|==\s*0)|1\s*==\s*0|0\s*==\s*1|false)$/;

/** Whether an awk program prints no line of what it reads. */
export function awkEmpties(program: string): boolean {
  const text = program
    .replace(/#[^\n]*/g, '')
    .replace(/\bprintf?\s*(?:\(\s*)?""\s*\)?/g, '')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/\b(?:print|printf|getline|system)\b|@/.test(text)) return false;
  let flat = text;
  for (let depth = 0; depth < 12 && flat.includes('{'); depth += 1) flat = flat.replace(/\{[^{}]*\}/g, '\0');
  if (/[{}]/.test(flat)) return false;
  const patterns = flat.replace(/[^;\n\0]*\0/g, '\n').split(/[;\n]/);
  return patterns.every((pattern) => pattern.trim() === '' || NEVER.test(pattern.trim()));
}

/** Code that empties the line that Perl or Ruby goes through: `$_ = ""`, `undef $_`, or a substitution of all of it. */
const EMPTIES_LINE =
  /^\s*(?:\$_\s*=\s*(?:""|''|undef|nil|q\(\))|undef\s*(?:\(\s*)?\$_(?:\s*\))?|(?:\$_\.)?(?:clear|replace\(["']{2}\))|s([/|#!])\^?\.[*+]\$?\1\1[gsm]*)\s*(?:;\s*)?$/;

/** Whether the code of `perl -i`, `ruby -i` lets nothing through: `-p` prints what is left of the line, `-n` only what is printed. */
export function loopEmpties(code: string, prints: 'each line' | 'when told'): boolean {
  if (prints === 'each line') return EMPTIES_LINE.test(code);
  const live = code.replace(/\b(?:print|puts|say|printf)\b[^;]*\bif\s+(?:0|false|nil)\b/g, '');
  return !/\b(?:print|printf|puts|say|write|putc|p|pp|syswrite|STDOUT|ARGVOUT)\b|\$stdout|<</.test(live);
}

/** An expression of yq that puts something else in the place of the whole: `. = {}`, `del(.)`, `null`, `load("x")`. */
const REPLACES_DOCUMENT =
  /^\s*(?:\.\s*=\s*(?:\{\s*\}|\[\s*\]|null|""|load\w*\(.*\))|del\(\s*\.(?:\[\])?\s*\)|\{\s*\}|\[\s*\]|null|empty|""|load\w*\("[^"]*"\)|select\(false\))\s*$/;

/** Whether an expression that is written back leaves nothing of the document. */
export const expressionEmpties = (expression: string): boolean => REPLACES_DOCUMENT.test(expression);
