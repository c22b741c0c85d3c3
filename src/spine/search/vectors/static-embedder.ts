import { setImmediate as nextTurn } from 'node:timers/promises';
import { wordsIn } from '../rules/tokenize.ts';
import type { Embedder } from './embedder.ts';
import { createSentenceModel, type SentenceModel } from './sif.ts';
import { findWordVectors, readWordVectors, type WordVectors } from './word-vectors.ts';

/**
 * The embedder that comes with Baton: no download, no key, no service. A missing table is said at once; the table
 * itself (5 MB) is read with the first text.
 */
export function createStaticEmbedder(folder: string = findWordVectors()): Required<Embedder> {
  let table: WordVectors | undefined;
  let model: SentenceModel | undefined;
  const readTable = () => {
    table ??= readWordVectors(folder);
    return table;
  };
  const readModel = () => {
    model ??= createSentenceModel(readTable());
    return model;
  };
  const embedNow = (
    texts: readonly string[],
    words: readonly (readonly string[])[] = texts.map(wordsIn),
  ): Float32Array[] => {
    const { embed } = readModel();
    return words.map(embed);
  };
  return {
    id: 'glove-50k-100d-sif-1',
    dim: 100,
    floor: 0.4,
    embedNow,
    embed: async (texts) => embedNow(texts),
    async prepare() {
      readTable();
      await nextTurn();
      readModel();
    },
  };
}
