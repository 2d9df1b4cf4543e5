import { instance, knownText, textValue, wordOf, type Value } from '../../code/value.js';

/** What was added to a `[powershell]::Create()`, as code. */
const ADDED = new WeakMap<Value, string>();

/** An object that commands are added to before they run. */
export function commandBuilder(): Value {
  const builder = instance('pipeline');
  ADDED.set(builder, '');
  return builder;
}

/**
 * A method of such an object: `AddCommand`, `AddParameter`, `AddArgument`, `AddScript`, `AddStatement` give the object back,
 * `Invoke` and `BeginInvoke` the code that runs. Null for others.
 */
export function buildCommand(builder: Value, method: string, args: readonly Value[]): Value | null {
  const before = ADDED.get(builder) ?? '';
  const [first, second] = args;
  switch (method) {
    case 'addcommand':
      return added(builder, `${before === '' ? '' : `${before} | `}${first ? wordOf(first).text : ''}`);
    case 'addscript':
      return added(builder, `${before === '' ? '' : `${before} | `}& {${first ? shown(first) : ''}}`);
    case 'addstatement':
      return added(builder, `${before}; `);
    case 'addparameter':
      return added(builder, `${before} -${first ? wordOf(first).text : ''}${second ? `:${quoted(second)}` : ''}`);
    case 'addargument':
      return added(builder, `${before} ${first ? quoted(first) : ''}`);
    case 'invoke':
    case 'begininvoke':
    case 'invokeasync':
      return textValue(before);
    default:
      return null;
  }
}

function added(builder: Value, code: string): Value {
  ADDED.set(builder, code);
  return builder;
}

/** Code that is not known is something whose text is chosen when it runs. */
const shown = (value: Value): string => knownText(value) ?? '& $script';
const quoted = (value: Value): string => {
  const text = knownText(value);
  return text === null ? '$argument' : `'${text.replaceAll("'", "''")}'`;
};
