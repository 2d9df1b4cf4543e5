import { z } from 'zod';
import { policySchema } from './schema.js';

/** The JSON Schema (draft-07, which editors complete from) of a policy file. */
export const policyJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(policySchema, { target: 'draft-7', io: 'input' }),
  title: 'Lacuna policy',
});
