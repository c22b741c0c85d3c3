import type { Hasher } from '../../kernel/hasher.ts';
import { toHex } from '../../kernel/hex.ts';
import { comparableText } from './memory-text.ts';

const BLOCK = 64;

/** RFC 2104 over SHA-256. */
export function hmacHex(hasher: Hasher, key: Uint8Array, message: string | Uint8Array): string {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? hasher.bytes(key) : key);
  const text = typeof message === 'string' ? new TextEncoder().encode(message) : message;
  const inner = hasher.bytes(
    joined(
      block.map((byte) => byte ^ 0x36),
      text,
    ),
  );
  return toHex(
    hasher.bytes(
      joined(
        block.map((byte) => byte ^ 0x5c),
        inner,
      ),
    ),
  );
}

/** Knows declined content again without keeping it: without the profile's key it says nothing. */
export function declinedFingerprint(hasher: Hasher, profileKey: Uint8Array, content: string): string {
  return hmacHex(hasher, profileKey, comparableText(content));
}

/** What the journal keeps of a text: nobody can guess it once the salt is gone. */
export function saltedHash(hasher: Hasher, salt: string, text: string): string {
  return hasher.hex(`${salt}:${text}`);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
