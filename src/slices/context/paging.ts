import { decodeBase64Url, encodeBase64Url } from '../../kernel/base64.ts';
import { contextErrors } from './errors.ts';

/** A position in a list ordered by instant and arrival. Opaque on the wire. */
export interface Place {
  readonly micros: number;
  readonly seq: number;
}

export function writeCursor({ micros, seq }: Place): string {
  return encodeBase64Url(new TextEncoder().encode(`${micros}.${seq}`));
}

export function readCursor(text: string): Place {
  const bytes = decodeBase64Url(text);
  const match = bytes && /^(-?\d{1,16})\.(\d{1,15})$/.exec(new TextDecoder().decode(bytes));
  if (!match) throw contextErrors.invalid_cursor({ details: { cursor: text.slice(0, 100) } });
  return { micros: Number(match[1]), seq: Number(match[2]) };
}

export const LARGEST_PAGE = 200;

/** Asking for more than the largest page is common and harmless: the cursor leads on. */
export function pageSize(limit: number | undefined, usual: number): number {
  return Math.min(limit ?? usual, LARGEST_PAGE);
}
