import type { Micros } from '../../../kernel/clock.ts';

export interface Chunk<T> {
  readonly at: Micros;
  readonly parts: readonly T[];
}

export interface ChunkLog<T> {
  add(chunk: Chunk<T>): void;
  /** How many pieces came in. */
  readonly count: number;
  /** At most the budget, in order; their parts together are the parts that came in. */
  list(): readonly Chunk<T>[];
}

/**
 * Keeps a stream within a span's budget of events and loses nothing of it: when the budget is full, neighbours are
 * joined two by two, and from then on each new entry takes twice as many pieces.
 */
export function createChunkLog<T>(budget: number): ChunkLog<T> {
  let chunks: { readonly at: Micros; readonly parts: T[] }[] = [];
  let stride = 1;
  let inLast = 0;
  let count = 0;

  return {
    add({ at, parts }) {
      count += 1;
      const last = chunks.at(-1);
      if (last && inLast < stride) {
        for (const part of parts) last.parts.push(part);
        inLast += 1;
        return;
      }
      if (chunks.length === budget) {
        chunks = chunks.flatMap((first, i) => {
          if (i % 2 === 1) return [];
          for (const part of chunks[i + 1]?.parts ?? []) first.parts.push(part);
          return [first];
        });
        stride *= 2;
      }
      chunks.push({ at, parts: [...parts] });
      inLast = 1;
    },
    get count() {
      return count;
    },
    list: () => chunks,
  };
}
