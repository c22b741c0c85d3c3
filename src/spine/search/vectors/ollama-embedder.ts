import type { Embedder } from './embedder.ts';
import { DEFAULT_FLOOR, type EmbeddingService, requestEmbeddings } from './embedding-request.ts';
import { toUnitVector } from './unit-vector.ts';

/** A model that Ollama serves, through `POST /api/embed`. */
export function createOllamaEmbedder(service: EmbeddingService): Embedder {
  let dim = 0;
  return {
    id: `ollama:${service.model}`,
    floor: service.floor ?? DEFAULT_FLOOR,
    get dim() {
      return dim;
    },
    async embed(texts) {
      const bodyOf = (input: readonly string[]) => ({ model: service.model, input });
      const read = (answer: unknown) => (answer as { embeddings?: unknown } | null)?.embeddings;
      const vectors = await requestEmbeddings(service, '/api/embed', {}, bodyOf, read, texts);
      dim = vectors[0]?.length ?? dim;
      return vectors.map(toUnitVector);
    },
  };
}
