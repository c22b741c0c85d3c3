import { memoryErrors } from './errors.ts';

export const CONTENT_LIMIT = 2000;

/** Controls (but for tab and newline), half surrogates, zero-width and directional marks, tags, fillers. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What a person reads is what an agent gets: nothing hidden, one spelling of each character, line ends as `\n`. */
export function sanitizeText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  return lines.replace(INVISIBLE, '').normalize('NFC').trim();
}

export function checkedContent(text: string, pointer = '/content'): string {
  const content = sanitizeText(text);
  if (content === '') throw memoryErrors.A2P006({ message: 'A memory says something.', pointer });
  if (Array.from(content).length > CONTENT_LIMIT) {
    throw memoryErrors.A2P006({ message: `A memory has at most ${CONTENT_LIMIT} characters.`, pointer });
  }
  return content;
}

/** The form in which two texts are the same to a person: for exact duplicates and declined content. */
export function comparableText(text: string): string {
  return sanitizeText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
