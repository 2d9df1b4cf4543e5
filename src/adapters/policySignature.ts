import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** What ASN.1 puts before the 32 bytes of an Ed25519 public key. Source: RFC 8410. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A signature is 88 letters of base64; what is much larger is none. */
const MAX_SIGNATURE_BYTES = 4096;

/**
 * Why the signature of a file does not hold, in words; null when it does. The signature stands beside the file as `FILE.sig`, in
 * base64. `key`: an Ed25519 public key, as PEM or as its 32 bytes in base64.
 */
export function signatureProblem(key: string, file: string, content: Uint8Array): string | null {
  const publicKey = readKey(key);
  if (publicKey === null) return 'the key that its signature is checked with is no Ed25519 public key';
  const signature = readSignature(`${file}.sig`);
  if (signature === null) return 'it is not signed, and an organisation key is set';
  return verify(null, content, publicKey, signature)
    ? null
    : 'its signature does not fit: it was changed, or signed with another key';
}

function readKey(text: string): KeyObject | null {
  try {
    const raw = Buffer.from(text.trim(), 'base64');
    const key = text.includes('BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.concat([ED25519_PREFIX, raw]), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch (error) {
    if (error instanceof Error) return null; // no key at all, or of a form that is not understood
    throw error;
  }
}

function readSignature(file: string): Uint8Array | null {
  try {
    const handle = openSync(file, 'r');
    try {
      if (fstatSync(handle).size > MAX_SIGNATURE_BYTES) return null;
      return Buffer.from(readFileSync(handle, 'utf8').trim(), 'base64');
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    // A signature that is not there or cannot be read is none.
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}
