import { withoutEnd } from '../trim.js';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes of a base64 text (also its URL-safe form) as one character each; null when it is none. Linear. */
export function fromBase64(text: string): string | null {
  const clean = withoutEnd(text.replace(/\s/g, ''), '=').replaceAll('-', '+').replaceAll('_', '/');
  if (clean.length % 4 === 1) return null;
  let out = '';
  let bits = 0;
  let held = 0;
  for (const character of clean) {
    const value = BASE64.indexOf(character);
    if (value < 0) return null;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += String.fromCharCode((held >> bits) & 0xff);
  }
  return out;
}

/** Bytes of a text of hex digits as one character each; an odd last digit is dropped. */
export const fromHex = (text: string): string =>
  (text.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('');

/** Bytes, one character each, read as UTF-8; null when they are none. */
export function utf8(bytes: string): string | null {
  try {
    return decodeURIComponent(
      bytes.replace(/[^A-Za-z0-9]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`),
    );
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Bytes, one character each, read as UTF-16 with the low byte first, as `powershell -EncodedCommand` does. */
export function utf16(bytes: string): string {
  let out = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    out += String.fromCharCode(bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8));
  }
  return out;
}
