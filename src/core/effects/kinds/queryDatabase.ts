import type { ParamsOf } from '../../lacuna/kinds.js';
import type { Analysis } from '../effect.js';
import { destinationOf, literalTarget } from '../net/destination.js';
import type { PathEffect } from '../pathEffects.js';
import { analyseSql, dialectOf } from '../sql.js';
import type { SqlAction } from '../sql/action.js';
import type { View } from '../view.js';
import { marksOf } from './content.js';
import { analysisOf, onPath, withMore } from './shared.js';

/** Runs SQL: what it does to tables, and to the file or host that holds them. */
export function queryDatabase({ database, sql, params }: ParamsOf['QueryDatabase'], view: View): Analysis {
  const dialect = dialectOf(database);
  const isFile = isFileName(database);
  const name = isFile ? database.replace(/^.*[\\/]/, '') : database;
  const actions = analyseSql(sql, name, dialect);
  const marks = marksOf([sql, ...(params ?? []).map(String)].join('\n'));
  const effects = actions.flatMap((action) => effectsOf(action, name, isFile, view));
  const place = placeEffects(database, isFile, actions, view);
  return analysisOf(
    [...place, ...effects].map((effect) => withMore(effect, marks.traits, [marks.note])),
    view,
  );
}

/** Whether a database is a file, which is SQLite's; others are named in the settings or by URL. The executor opens no other file. */
export const isFileName = (database: string): boolean =>
  !/^[a-z][a-z0-9+.-]*:\/\//i.test(database) && (dialectOf(database) === 'sqlite' || /[\\/]/.test(database));

/** The file that a statement reads or changes, or the host it is sent to. */
function placeEffects(
  database: string,
  isFile: boolean,
  actions: readonly SqlAction[],
  view: View,
): readonly PathEffect[] {
  const changes = actions.some(
    (action) => action.type === 'effect' && action.op !== 'read' && !action.traits.includes('dry-run'),
  );
  if (isFile && database !== ':memory:') {
    return changes ? onPath('write', database, view, ['edit']) : onPath('read', database, view);
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(database)) return [];
  const destination = destinationOf(literalTarget(database), null);
  if (destination.type !== 'network') return [];
  const { resource, traits, certainty, note } = destination;
  return [{ op: 'network', resource, certainty, reversible: 'yes', traits, note }];
}

/** Files and commands in SQL are this machine's for SQLite, the server's for others, which may be this machine as well. */
function effectsOf(action: SqlAction, database: string, isFile: boolean, view: View): readonly PathEffect[] {
  if (action.type === 'effect') {
    const { type: _type, ...effect } = action;
    return [effect];
  }
  if (action.type === 'command') {
    return [
      {
        op: 'execute',
        resource: { type: 'process', process: action.text },
        certainty: 'dynamic',
        reversible: 'no',
        traits: ['unreviewed', 'covert'],
        note: action.note,
      },
    ];
  }
  if (isFile) return onPath(action.op, action.path, view, [], action.note);
  return [
    {
      op: action.op,
      resource: { type: 'remote', service: database, name: action.path },
      certainty: 'exact',
      reversible: action.op === 'read' ? 'yes' : 'no',
      traits: [],
      note: action.note,
    },
  ];
}
