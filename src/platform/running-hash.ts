import { createHash } from 'node:crypto';

/** SHA-256 of a text that comes in pieces, as of the whole. */
export interface RunningHash {
  add(piece: string): void;
  /** Of all that was added so far; more may follow. */
  hex(): string;
}

export function createRunningHash(): RunningHash {
  const hash = createHash('sha256');
  // Half a character at the end of a piece: its other half begins the next one.
  let half = '';
  return {
    add(piece) {
      const text = half + piece;
      const isCut = HIGH_SURROGATE_LAST.test(text);
      half = isCut ? text.slice(-1) : '';
      hash.update(isCut ? text.slice(0, -1) : text);
    },
    hex: () => hash.copy().update(half).digest('hex'),
  };
}

const HIGH_SURROGATE_LAST = /[\ud800-\udbff]$/;
