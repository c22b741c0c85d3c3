export { fromHex, toHex } from './hex.ts';

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const STANDARD_VALUES = valuesOf(STANDARD);

export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += STANDARD.charAt(group >> 18) + STANDARD.charAt((group >> 12) & 63);
    text += left > 1 ? STANDARD.charAt((group >> 6) & 63) : '=';
    text += left > 2 ? STANDARD.charAt(group & 63) : '=';
  }
  return text;
}

/** Without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Undefined unless the text is exactly what `encodeBase64` writes: one encoding for each run of bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return decodeDigits(text.slice(0, text.length - padding));
}

/** Undefined unless the text is exactly what `encodeBase64Url` writes. */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (/[+/]/.test(text)) return undefined;
  return decodeDigits(text.replaceAll('-', '+').replaceAll('_', '/'));
}

function decodeDigits(digits: string): Uint8Array | undefined {
  if (digits.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let pending = 0;
  let bits = 0;
  let at = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = STANDARD_VALUES.get(digits.charCodeAt(index));
    if (value === undefined) return undefined;
    pending = ((pending << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (pending >> bits) & 0xff;
      at += 1;
    }
  }
  return (pending & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

function valuesOf(alphabet: string): ReadonlyMap<number, number> {
  return new Map(Array.from(alphabet, (digit, value) => [digit.charCodeAt(0), value]));
}
