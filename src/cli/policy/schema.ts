import { policyJsonSchema } from '../../core/policy/jsonSchema.js';
import { EXIT, parseArguments, type ExitCode, type Io } from '../io.js';

/** `lacuna policy schema`: the JSON Schema of a policy file, on standard output. */
export async function policySchemaVerb(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, { help: 'switch' });
  if (parsed.switches.has('help')) io.out('usage: lacuna policy schema\n\nPrints the JSON Schema of a policy file.\n');
  else io.out(`${JSON.stringify(policyJsonSchema(), null, 2)}\n`);
  return await Promise.resolve(EXIT.done);
}
