import { tailOf } from './tail.ts';

const MARK = '<state_snapshot>';

/**
 * Gemini CLI has no event after it has shortened a conversation: only its transcript shows it, by a snapshot. Where the
 * last one stands in the file tells a new one from the one before; undefined if there is none.
 */
export function lastSnapshot(path: unknown): string | undefined {
  const tail = tailOf(path);
  const at = tail?.bytes.lastIndexOf(MARK) ?? -1;
  return tail === undefined || at < 0 ? undefined : String(tail.from + at);
}
