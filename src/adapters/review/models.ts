import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { parseLinearModel, type LinearModel } from '../../core/review/linear.js';
import type { ModelChoice } from './process.js';

/** What is known of the starter model besides its weights: written by training/measure.py beside the file. */
const starterSchema = z.strictObject({
  file: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  temperature: z.number().positive(),
  flagAt: z.number().min(0).max(1),
  rejectAt: z.number().min(0).max(1),
});

/** The folder of the models that come with Lacuna, seen from the folder of a bundle or of a source file. */
export function modelsFolder(from: string): string {
  const places = ['../models', '../../models', '../../../models'].map((place) => path.resolve(from, place));
  return places.find((place) => existsSync(path.join(place, 'linear.json'))) ?? places[0] ?? from;
}

/** The linear model that comes with Lacuna. Throws where the file is missing or damaged. */
export const linearModel = (folder: string): LinearModel =>
  parseLinearModel(JSON.parse(readFileSync(path.join(folder, 'linear.json'), 'utf8')));

/** The starter model that comes with Lacuna; null where it is not there. Throws where its description is damaged. */
export function starterModel(folder: string): ModelChoice | null {
  if (!existsSync(path.join(folder, 'starter.json'))) return null;
  const { file, sha256, temperature, flagAt, rejectAt } = starterSchema.parse(
    JSON.parse(readFileSync(path.join(folder, 'starter.json'), 'utf8')),
  );
  return {
    path: path.join(folder, file),
    sha256,
    thresholds: { flagAt, rejectAt },
    temperature,
    contextTokens: 1024,
    // More threads than one make so small a model slower: they wait for each other.
    threads: 1,
    memoryMiB: 300,
    deadlines: { loadMs: 20_000, verdictMs: 1500, reasonMs: 1000 },
  };
}

/** A model that a person chose. What its probabilities are worth is not known: it objects where objecting is likelier than not. */
export function chosenModel(
  file: string,
  options: { readonly sha256: string | null; readonly sizeBytes: number },
): ModelChoice {
  const sizeMiB = options.sizeBytes / 2 ** 20;
  return {
    path: file,
    sha256: options.sha256,
    thresholds: { flagAt: 0.5, rejectAt: 0.5 },
    temperature: 1,
    contextTokens: 2048,
    threads: Math.max(1, Math.floor(os.cpus().length / 2) - 1),
    memoryMiB: Math.round(sizeMiB * 1.3 + 2048),
    deadlines: { loadMs: 60_000, verdictMs: 20_000, reasonMs: 20_000 },
  };
}

/** SHA-256 of a file, 64 lower-case hex digits. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
