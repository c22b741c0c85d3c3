import { utf8Length } from '../../../../kernel/json/utf8.ts';

/** A quarter of the bytes, rounded up. */
export function estimateTokens(content: string): number {
  return Math.ceil(utf8Length(content) / 4);
}
