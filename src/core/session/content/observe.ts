import { findPersonalData } from '../../effects/personalData.js';
import { findSecrets } from '../../effects/secrets.js';
import type { ContentMarks } from '../event.js';
import { isAtLeast, joinLabels, ORDINARY, type Labels } from '../labels.js';
import { namedIn } from './named.js';
import { passageMarks, secretMarks, secretValues } from './marks.js';

const SECRET: Labels = { confidentiality: 'secret', isUntrusted: false };
const SENSITIVE: Labels = { confidentiality: 'sensitive', isUntrusted: false };

/**
 * What is kept of the content that a step returned: labels, and marks by which it is known again. `labels` are those that the
 * step gave its output already (a read of a secret file, an answer from the web). Nothing of the content itself is kept.
 */
export function observe(text: string, labels: Labels): ContentMarks {
  const spans = findSecrets(text);
  const found = spans.length > 0 ? SECRET : findPersonalData(text).isBulk ? SENSITIVE : ORDINARY;
  const joined = joinLabels(labels, found);
  const values = new Set(spans.map(({ start, end }) => text.slice(start, end)));
  if (isAtLeast(labels.confidentiality, 'secret')) for (const value of secretValues(text)) values.add(value);
  // A file of settings is known by its values; a document that has none is known by its passages.
  const isDocument =
    joined.confidentiality === 'sensitive' || (joined.confidentiality === 'secret' && values.size === 0);
  return {
    labels: joined,
    secrets: secretMarks([...values]),
    passages: isDocument ? passageMarks(text) : [],
    named: joined.isUntrusted ? namedIn(text) : [],
  };
}
