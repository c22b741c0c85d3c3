import type { Hasher } from '../../kernel/hasher.ts';
import { toHex } from '../../kernel/hex.ts';
import { termOf } from '../../spine/search/rules/tokenize.ts';
import { memoryErrors } from './errors.ts';

export const CONTENT_LIMIT = 2000;
/** Nobody looks for what is visible in more than this. */
const LONGEST_GIVEN = 50 * CONTENT_LIMIT;

/** Control characters (except tab and newline), lone surrogates, zero-width and directional marks, tags, fillers. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** An agent gets exactly what the person can read: nothing hidden, one form of each character, lines ended by `\n`. */
export function sanitizeText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  return lines.replace(INVISIBLE, '').normalize('NFC').trim();
}

/** Its beginning, where no more is kept. */
export function sanitizedStart(text: string, limit: number): string {
  return sanitizeText(text.slice(0, LONGEST_GIVEN)).slice(0, limit);
}

export function checkedContent(text: string, pointer = '/content'): string {
  const tooLong = () =>
    memoryErrors.A2P006({ message: `A memory can have at most ${CONTENT_LIMIT} characters.`, pointer });
  if (text.length > LONGEST_GIVEN) throw tooLong();
  const content = sanitizeText(text);
  if (content === '') throw memoryErrors.A2P006({ message: 'A memory cannot be empty.', pointer });
  if (Array.from(content).length > CONTENT_LIMIT) throw tooLong();
  return content;
}

/** The same for two texts that a person would call the same: for exact duplicates and declined content. */
export function comparableText(text: string): string {
  return sanitizeText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Who a memory is about goes without saying, and articles say nothing. */
const SUBJECT = /^(?:the )?(?:user|person|customer|client|he|she|they|i|we)(?: s)? /;
const ARTICLES = new Set(['a', 'an', 'the']);

/** The same for two texts that say the same in the same words, whatever their endings, articles and punctuation. */
export function normalForm(text: string): string {
  const words = comparableText(text).replace(SUBJECT, '').split(' ');
  return words
    .filter((word) => !ARTICLES.has(word))
    .map(termOf)
    .join(' ');
}

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

/** Recognises declined content without storing it; without the profile's key it reveals nothing. */
export function declinedFingerprint(hasher: Hasher, profileKey: Uint8Array, content: string): string {
  return hmacHex(hasher, profileKey, comparableText(content));
}

/** The same by the content's normal form. */
export function declinedMeaning(hasher: Hasher, profileKey: Uint8Array, content: string): string {
  return hmacHex(hasher, profileKey, `normal form: ${normalForm(content)}`);
}

/** What the journal keeps of a text: once the salt is gone, nobody can guess the text from it. */
export function saltedHash(hasher: Hasher, salt: string, text: string): string {
  return hasher.hex(`${salt}:${text}`);
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
