import type { ParamsOf } from '../../lacuna/kinds.js';
import { readingsOf } from '../../lacuna/toolName.js';
import type { Analysis, Trait } from '../effect.js';
import type { PathEffect } from '../pathEffects.js';
import { analyseShell, TABLES } from '../shell/analyseShell.js';
import { analyseCode } from '../shell/shellFrame.js';
import type { View } from '../view.js';
import { marksOf } from './content.js';
import { changeOfFile } from './fileChange.js';
import { httpRequest } from './httpRequest.js';
import { moveFile } from './moveFile.js';
import { queryDatabase } from './queryDatabase.js';
import { analysisOf, fileAt, merged, nothingKnown, onPath } from './shared.js';
import { askedBy, type Asked } from './toolInput.js';
import { verbOf, type ToolVerb } from './toolVerb.js';

/**
 * Calls a tool: the call itself, and what its input asks for, judged by the same analysers as the kind of its own: a `command`
 * as a shell line, a `path` as a file, `sql` as a query. Hints of the server only add: that it destroys, that it reaches out.
 */
export function callTool(params: ParamsOf['CallTool'], view: View): Analysis {
  const { tool, server, input, annotations } = params;
  const verb = verbOf(tool);
  const asked = askedBy(tool, input);
  const text = JSON.stringify(input);
  const marks = marksOf(text);
  const traits = new Set<Trait>(marks.traits);
  const service = server ?? serverIn(tool);
  const staysHere = asked.some(
    ({ type }) => type === 'command' || type === 'path' || type === 'move' || type === 'code',
  );
  if (verb === 'send' || annotations?.openWorldHint === true || (service !== null && !staysHere)) traits.add('outward');
  if (verb === 'send') traits.add('publish');
  if (traits.has('outward')) traits.add('download');
  if (traits.has('outward') && (verb === 'send' || traits.has('secret') || traits.has('personal')))
    traits.add('upload');
  const call: PathEffect = {
    op: 'execute',
    resource: { type: 'tool', server: server ?? null, tool },
    certainty: 'exact',
    reversible: verb === 'read' ? 'yes' : 'no',
    traits: [...traits],
    note: marks.note,
  };
  // One tool for many operations says in a parameter which one is meant.
  const isDeletion = verb === 'delete' || operationsIn(input).some((operation) => verbOf(operation) === 'delete');
  const destroys = annotations?.destructiveHint === true || (isDeletion && !staysHere);
  const effects = [
    call,
    ...(destroys ? [destruction(tool, service, isDeletion ? 'delete' : verb)] : []),
    ...(tellsSecret(tool) ? [disclosure(tool, service)] : []),
  ];
  const flow = { from: { type: 'literal' as const, text }, to: call.resource, how: 'verbatim' as const };
  return merged([analysisOf(effects, view, [flow]), ...analysesOf(asked, verb, tool, view)], view.terminal);
}

/** Parameters by which a tool is told what to do: `{operation_name: "delete_bucket"}`, `{action: "remove"}`. */
const operationsIn = (input: ParamsOf['CallTool']['input']): readonly string[] =>
  Object.entries(input).flatMap(([name, value]) =>
    typeof value === 'string' && /^(?:operation|operation_?name|action|api_?action|verb)$/i.test(name) ? [value] : [],
  );

/** Tools that give out an entry of a store of secrets. A list of names gives none. */
const tellsSecret = (tool: string): boolean => {
  const words = tool.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return (
    /(?:^|[^a-z])(?:get|read|show|fetch|reveal|retrieve|view|decrypt|export|access|copy)(?:[^a-z]|$)/.test(words) &&
    /(?:^|[^a-z])(?:secrets?|passwords?|credentials?|api_?keys?|private_?keys?|access_?tokens?|totp|otp)(?:[^a-z]|$)/.test(
      words,
    ) &&
    !/metadata|scanning|names|policy|list/.test(words)
  );
};

const disclosure = (tool: string, service: string | null): PathEffect => ({
  op: 'read',
  resource: { type: 'remote', service: service ?? 'tool', name: tool },
  certainty: 'exact',
  reversible: 'yes',
  traits: ['secret'],
  note: 'gives out a secret, by its name',
});

/** What is asked for is looked at one by one until it comes to this much text or this many effects. */
const MOST_TEXT = 512 * 1024;
const MOST_EFFECTS = 600;

function analysesOf(asked: readonly Asked[], verb: ToolVerb, tool: string, view: View): readonly Analysis[] {
  const analyses: Analysis[] = [];
  let characters = 0;
  let effects = 0;
  for (const one of asked) {
    characters += lengthOf(one);
    if (characters > MOST_TEXT || effects > MOST_EFFECTS)
      return [...analyses, nothingKnown(`${tool} asks for more than can be followed`, view)];
    const analysis = analyseAsked(one, verb, tool, view);
    analyses.push(analysis);
    effects += analysis.effects.length;
  }
  return analyses;
}

const lengthOf = (asked: Asked): number =>
  Object.values(asked).reduce((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/** The server in a qualified name: `mcp__github__create_issue`, `mcp_github_search`, `mcp.postgres.query`, `github/search`. */
function serverIn(tool: string): string | null {
  const [reading] = readingsOf({ tool });
  if (reading !== undefined && reading.server !== null) return reading.server;
  const parts = tool.split(/__|[./]/).filter((part) => part !== '' && part !== 'mcp');
  return parts.length > 1 ? (parts[0] ?? null) : null;
}

const destruction = (tool: string, service: string | null, verb: ToolVerb): PathEffect => ({
  op: 'delete',
  resource: { type: 'remote', service: service ?? 'tool', name: tool },
  certainty: verb === 'delete' ? 'exact' : 'dynamic',
  reversible: 'no',
  traits: [],
  note: verb === 'delete' ? 'takes something away' : 'its server says that it destroys',
});

function analyseAsked(asked: Asked, verb: ToolVerb, tool: string, view: View): Analysis {
  switch (asked.type) {
    case 'command':
      return analyseShell(
        {
          command: asked.text,
          ...(asked.shell === null ? {} : { shell: asked.shell }),
          ...(asked.cwd === null ? {} : { cwd: asked.cwd }),
        },
        view,
      );
    case 'code':
      return asked.language === null
        ? nothingKnown(`${tool} runs code of a language that is not known`, view)
        : analyseCode(asked.language, asked.text, view, TABLES);
    case 'path':
      return analysePath(asked, verb, view);
    case 'move':
      return asked.isCopy
        ? analysisOf([...onPath('read', asked.from, view), ...onPath('write', asked.to, view)], view)
        : moveFile(asked, view);
    case 'url': {
      const method = asked.method ?? (asked.body === null || verb === 'read' ? 'GET' : 'POST');
      const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(asked.url) ? asked.url : `https://${asked.url}`;
      return httpRequest(
        {
          url,
          method: method as ParamsOf['HttpRequest']['method'],
          ...(asked.body === null ? {} : { body: asked.body }),
        },
        view,
      );
    }
    case 'sql':
      return queryDatabase({ database: asked.database, sql: asked.sql }, view);
    case 'more':
      return nothingKnown(`${tool} is given more than is read`, view);
  }
}

/** What happens to a path: by the tool's verb, else by whether content comes along; a verb that is not known may write. */
function analysePath(
  { path, hasContent, content }: Extract<Asked, { type: 'path' }>,
  verb: ToolVerb,
  view: View,
): Analysis {
  if (verb === 'delete') {
    const isFile = view.facts.entry(fileAt(path, view, 'keep')) === 'file';
    return analysisOf(onPath('delete', path, view, isFile ? [] : ['recursive']), view);
  }
  if (verb === 'write' || verb === 'send' || hasContent) {
    const before = view.facts.readText(fileAt(path, view, 'follow'));
    const removed = '';
    return changeOfFile({ path, before, after: hasContent ? content : null, added: content, removed }, [], view);
  }
  if (verb === 'read') return analysisOf(onPath('read', path, view), view);
  const may = onPath('write', path, view).map((effect): PathEffect => ({ ...effect, certainty: 'dynamic' }));
  return analysisOf([...onPath('read', path, view), ...may], view);
}
