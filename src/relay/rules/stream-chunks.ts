import type { Micros } from '../../kernel/clock.ts';

export interface Chunk {
  readonly at: Micros;
  text: string;
  parts: unknown[];
}

export interface ChunkLog {
  add(chunk: Chunk): void;
  /** How many pieces came in. */
  readonly count: number;
  /** At most the budget, in order; their texts joined are the texts that came in. */
  taken(): readonly Chunk[];
}

/**
 * Keeps a stream within a span's budget of events and loses none of its text: when the budget is full, neighbours are
 * joined two by two, and from then on each new entry takes twice as many pieces.
 */
export function createChunkLog(budget: number): ChunkLog {
  let chunks: Chunk[] = [];
  let stride = 1;
  let inLast = 0;
  let count = 0;

  function join(into: Chunk, next: Chunk): void {
    into.text += next.text;
    into.parts = [...into.parts, ...next.parts];
  }

  return {
    add(chunk) {
      count += 1;
      const last = chunks.at(-1);
      if (last && inLast < stride) {
        join(last, chunk);
        inLast += 1;
        return;
      }
      if (chunks.length === budget) {
        chunks = chunks.flatMap((first, i) => {
          if (i % 2 === 1) return [];
          const second = chunks[i + 1];
          if (second) join(first, second);
          return [first];
        });
        stride *= 2;
      }
      chunks.push({ ...chunk, parts: [...chunk.parts] });
      inLast = 1;
    },
    get count() {
      return count;
    },
    taken: () => chunks,
  };
}
