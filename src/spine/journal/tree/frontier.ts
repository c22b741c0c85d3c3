import type { Hasher } from '../../../kernel/hasher.ts';
import { hexNodeHash } from './hex-hash.ts';

/** The right edge of a growing tree. Calls back for each full subtree when it is complete. */
export class Frontier {
  readonly #hasher: Hasher;
  readonly #completed: (level: number, index: number, hash: string) => void;
  /** By level; the hash of the full subtree that waits for its right sibling. */
  readonly #waiting: (string | undefined)[] = [];
  #size = 0;

  constructor(hasher: Hasher, completed: (level: number, index: number, hash: string) => void) {
    this.#hasher = hasher;
    this.#completed = completed;
  }

  get size(): number {
    return this.#size;
  }

  append(leafHash: string): void {
    let hash = leafHash;
    let level = 0;
    let index = this.#size;
    this.#size += 1;
    for (;;) {
      const left = this.#waiting[level];
      if (left === undefined) break;
      this.#waiting[level] = undefined;
      hash = hexNodeHash(this.#hasher, left, hash);
      level += 1;
      index = Math.floor(index / 2);
      if (level % 8 === 0) this.#completed(level, index, hash);
    }
    this.#waiting[level] = hash;
  }

  root(): string {
    let right: string | undefined;
    for (const left of this.#waiting) {
      if (left !== undefined) right = right === undefined ? left : hexNodeHash(this.#hasher, left, right);
    }
    return right ?? this.#hasher.hex('');
  }
}
