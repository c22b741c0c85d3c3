import { jsonErrors } from './errors.ts';

/** Bytes that the text takes in UTF-8; half a surrogate pair counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (code < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    if (code >= 0xd800 && code < 0xdc00) {
      const next = text.charCodeAt(at + 1);
      if (next >= 0xdc00 && next <= 0xdfff) at += 1;
    }
  }
  return bytes;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws `invalid_json` with the byte offset of the first invalid byte. A byte order mark is kept; the reader refuses it. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch (cause) {
    const offset = firstInvalidByte(bytes);
    const before = new TextDecoder().decode(bytes.subarray(0, offset));
    throw jsonErrors.invalid_json({
      message: 'The bytes are not valid UTF-8.',
      pointer: '',
      details: {
        line: before.split('\n').length,
        column: before.length - before.lastIndexOf('\n'),
        offset,
      },
      cause,
    });
  }
}

function firstInvalidByte(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isValidPrefix(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether every half of a surrogate pair has its other half. Newer than the library the compiler targets, but
 * everywhere that this runs.
 */
export function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
