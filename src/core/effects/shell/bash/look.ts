import type { SyntaxNode } from '../../syntax.js';
import type { Pipeline } from './shape.js';

/** Names that code below a node may set: by assignment, arithmetic, `read`, or as the variable of a loop. */
export function assignedNames(node: SyntaxNode, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  collect(node, text, names);
  return names;
}

function collect(node: SyntaxNode, text: string, names: Set<string>): void {
  const own = (): string => text.slice(node.start, node.end);
  switch (node.type) {
    case 'variable_assignment':
    case 'for_statement':
    case 'c_style_for_statement': {
      const name = node.children.find(({ field }) => field === 'name' || field === 'variable');
      if (name) names.add(text.slice(name.start, name.end).replace(/\[.*$/s, ''));
      break;
    }
    case 'command':
      if (/^(read|mapfile|readarray|getopts|printf\s+-v)\b/.test(own())) {
        for (const word of own().match(/(?<=\s)[A-Za-z_]\w*/g) ?? []) names.add(word);
      }
      break;
    case 'postfix_expression':
    case 'unary_expression':
    case 'binary_expression':
    case 'word':
      for (const [, before, after] of own().matchAll(
        /(?:\+\+|--)\s*([A-Za-z_]\w*)|(?<!\w)([A-Za-z_]\w*)\s*(?:\+\+|--|[-+*/%&|^]?=(?!=)|<<=|>>=)/g,
      )) {
        names.add((before ?? after) as string);
      }
      break;
    default:
  }
  for (const child of node.children) collect(child, text, names);
}

/**
 * What the parser could not read or had to make up, anywhere below a node. An error of operators alone is good: `shapeOf` puts
 * them together again; so is the word that the parser misses in `A=1 >f`.
 */
export function faultsOf(node: SyntaxNode, text: string): readonly string[] {
  if (!node.hasError) return [];
  if (node.isMissing) return node.type === 'word' ? [] : [`${node.type} is missing`];
  if (node.type === 'ERROR' && !/^[\s<>&|;]*$/.test(text.slice(node.start, node.end))) return ['it cannot be parsed'];
  return node.children.flatMap((child) => faultsOf(child, text)).slice(0, 3);
}

/** Whether a pipeline ends the shell or function, so that what stands behind it is not reached that way. */
export function endsShell(pipeline: Pipeline | undefined, text: string): boolean {
  const [stage] = pipeline?.stages ?? [];
  if (!stage || (pipeline?.stages.length ?? 0) > 1) return false;
  if (stage.type === 'group') return endsShell(stage.items.at(-1)?.pipelines.at(-1), text);
  if (stage.type !== 'simple') return false;
  const word = stage.words[0];
  const name = word ? text.slice(word[0]?.start ?? 0, word.at(-1)?.end ?? 0) : '';
  return /^(exit|return|exec|die|fail|abort|break|continue)$/.test(name);
}

/** Whether a pipeline is one that succeeds but for the strangest reasons: assignments, `cd`, `export`, `mkdir`, `echo`… */
export function cannotFail(pipeline: Pipeline, text: string): boolean {
  const [stage] = pipeline.stages;
  if (!stage || pipeline.stages.length > 1 || pipeline.isNegated || stage.type !== 'simple') return false;
  const word = stage.words[0];
  const name = word ? text.slice(word[0]?.start ?? 0, word.at(-1)?.end ?? 0) : '';
  return (
    word === undefined ||
    /^(cd|export|mkdir|echo|printf|set|source|\.|true|:|pushd|declare|local|sleep|touch)$/.test(name)
  );
}

/** Whether a function starts copies of itself and leaves them running: calls to itself in a pipe or in the background. */
export function isForkBomb(name: string, body: SyntaxNode, text: string): boolean {
  const calls = (node: SyntaxNode): number => {
    if (node.type === 'command_name') return text.slice(node.start, node.end) === name ? 1 : 0;
    return node.children.reduce((sum, child) => sum + calls(child), 0);
  };
  const spreads = (node: SyntaxNode): boolean =>
    (node.type === 'pipeline' && calls(node) > 1) ||
    (node.children.some(({ type }) => type === '&') && calls(node) > 0) ||
    node.children.some(spreads);
  return spreads(body);
}

/**
 * Whether one round of a loop leaves a process running: something in the background, and neither a plain `wait` or `sleep` behind
 * it nor a plain `break`. Inside of a condition or a subshell they do not count, since they may not be reached, or wait for others.
 */
export function leavesRunning(nodes: readonly SyntaxNode[], text: string): boolean {
  let isRunning = false;
  for (const [at, node] of nodes.entries()) {
    const own = text.slice(node.start, node.end).trim();
    if (/^(?:wait\b(?!\s+-)|sleep\s|break\b|exit\b|return\b)/.test(own)) isRunning = false;
    if (/^disown\b/.test(own)) isRunning = true;
    // What a subshell leaves behind is nobody's to wait for.
    if (node.type === 'subshell' && startsInBackground(node)) return true;
    const isInBackground = node.type === '&' || nodes[at + 1]?.type === '&';
    if (node.type !== 'function_definition' && (isInBackground || startsInBackground(node))) isRunning = true;
  }
  return isRunning;
}

const startsInBackground = (node: SyntaxNode): boolean =>
  node.children.some(
    (child) =>
      child.type === '&' ||
      (/^(subshell|compound_statement|list|if_statement|pipeline)$/.test(child.type) && startsInBackground(child)),
  ) && /^(subshell|compound_statement|list|if_statement|pipeline|do_group)$/.test(node.type);
