import { findPersonalData } from '../effects/personalData.js';
import { findSecrets, maskSecrets } from '../effects/secrets.js';
import { holdsPassage, holdsSecret } from './content/marks.js';
import type { PromptPolicy } from '../policy/promptWords.js';
import type { Found } from './evidence.js';
import type { SessionState } from './state.js';

/** What to do with a prompt before it goes to a remote model. */
export type PromptAnswer =
  | { readonly type: 'send'; readonly text: string; readonly masked: number }
  /** A person has to agree, or nothing is sent. `text` is what would be sent with every known secret masked. */
  | { readonly type: 'ask' | 'deny'; readonly text: string; readonly found: Found };

const found = (why: string): Found => ({ finding: 'secret-to-model', effect: null, why });

/** Masks lines that hold a secret of the session in a form that no pattern finds. */
function maskKnown(text: string, state: SessionState): { readonly text: string; readonly masked: number } {
  if (state.secrets.size === 0) return { text, masked: 0 };
  let masked = 0;
  const lines = text.split('\n').map((line) => {
    if (!holdsSecret(line, state.secrets)) return line;
    masked += 1;
    return '[masked: holds a secret of this session]';
  });
  return { text: lines.join('\n'), masked };
}

/**
 * Looks at what would be sent to a remote model: secrets by their form, secrets that the session has read, passages of sensitive
 * documents, personal data in bulk. By `mask`, secrets are replaced and the rest goes; what cannot be masked (a document, a secret
 * spread over lines) is asked about. A local model is not asked about at all: nothing leaves the machine.
 */
export function assessPrompt(text: string, state: SessionState, policy: PromptPolicy): PromptAnswer {
  const bySight = findSecrets(text).length;
  const sighted = bySight > 0 ? maskSecrets(text) : text;
  const known = maskKnown(sighted, state);
  const masked = bySight + known.masked;
  const isSpread = holdsSecret(known.text, state.secrets);
  if (isSpread)
    return {
      type: policy === 'deny' ? 'deny' : 'ask',
      text: known.text,
      found: found('holds a secret in a form that cannot be masked'),
    };
  if (masked > 0 && policy !== 'mask')
    return { type: policy, text: known.text, found: found(`holds ${masked} secrets`) };
  if (holdsPassage(known.text, state.passages)) {
    return {
      type: policy === 'deny' ? 'deny' : 'ask',
      text: known.text,
      found: found('holds passages of a sensitive document'),
    };
  }
  if (findPersonalData(known.text).isBulk) {
    return { type: policy === 'deny' ? 'deny' : 'ask', text: known.text, found: found('holds personal data in bulk') };
  }
  return { type: 'send', text: known.text, masked };
}
