import { timingSafeEqual } from 'node:crypto';
import type { Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { fromHex, toHex } from '../../../kernel/hex.ts';

const SECRET_BYTES = 32;

/** Sixty-four hex digits of 256 random bits: far beyond guessing, so a plain SHA-256 at rest is enough. */
export function newSecret(random: Random): string {
  return toHex(random.bytes(SECRET_BYTES));
}

export function isSecret(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

export function hashSecret(hasher: Hasher, secret: string): string {
  return hasher.hex(fromHex(secret) ?? new Uint8Array());
}

/** Takes as long for any two texts of the same length. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
