import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchDocument } from '../../src/spine/search/document.ts';
import { findWordVectors } from '../../src/spine/search/vectors/word-vectors.ts';

/** Documents of real words whose frequencies follow Zipf's law, each leaning towards a topic of its own. */
export interface SyntheticCorpus {
  document(number: number): SearchDocument;
  /** Words of one document, wrapped in a question. */
  mixedQuery(number: number): string;
  /** Only words that thousands of documents have. */
  commonQuery(number: number): string;
}

const STOP = 150;
const COMMON = 400;

export function syntheticCorpus(projectId: string): SyntheticCorpus {
  const words = readFileSync(join(findWordVectors(), 'vocab.txt'), 'utf8')
    .split('\n')
    .filter((word) => /^[a-z]{2,}$/.test(word));
  const wordsOf = (number: number): string[] => {
    const next = generator(number);
    const topic = Math.floor(next() * (words.length - 40));
    return Array.from({ length: 60 + Math.floor(next() * 80) }, () =>
      next() < 0.15
        ? (words[topic + Math.floor(next() * 40)] as string)
        : (words[Math.floor(Math.exp(next() * Math.log(words.length))) - 1] as string),
    );
  };
  const pick = (from: readonly string[], count: number, next: () => number) =>
    Array.from({ length: count }, () => from[Math.floor(next() * from.length)] as string);
  return {
    document(number) {
      const text = wordsOf(number);
      return {
        projectId,
        collection: 'note',
        id: `note-${number}`,
        time: number * 60_000_000,
        attributes: { author: `author-${number % 50}` },
        fields: [
          { name: 'title', text: text.slice(0, 6).join(' '), weight: 3 },
          { name: 'text', text: text.slice(6).join(' ') },
        ],
      };
    },
    mixedQuery(number) {
      const next = generator(-number - 1);
      return `what did we say about ${pick(wordsOf(number), 5, next).join(' and ')}`;
    },
    commonQuery(number) {
      const next = generator(-number - 1_000_000);
      return pick(words.slice(STOP, COMMON), 4, next).join(' ');
    },
  };
}

function generator(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) ^ 0x2545f491;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
