import type { Embedder } from './embedder.ts';
import { DEFAULT_FLOOR, type EmbeddingService, requestEmbeddings } from './embedding-request.ts';
import { toUnitVector } from './unit-vector.ts';

export interface OpenAiService extends EmbeddingService {
  readonly apiKey?: string;
  /** For models that can shorten their vectors. */
  readonly dimensions?: number;
}

/** Any service that speaks `POST /v1/embeddings`; its address may be given with or without `/v1`. */
export function createOpenAiEmbedder(given: OpenAiService): Embedder {
  const { model, apiKey, dimensions, floor = DEFAULT_FLOOR } = given;
  const service = { ...given, url: given.url.replace(/\/+$/, '').replace(/\/v1$/, '') };
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const shape = dimensions === undefined ? {} : { dimensions };
  let dim = dimensions ?? 0;
  return {
    id: dimensions === undefined ? `openai:${model}` : `openai:${model}:${dimensions}`,
    floor,
    get dim() {
      return dim;
    },
    async embed(texts) {
      const bodyOf = (input: readonly string[]) => ({ model, input, encoding_format: 'float', ...shape });
      const vectors = await requestEmbeddings(service, '/v1/embeddings', headers, bodyOf, inOrder, texts);
      dim = vectors[0]?.length ?? dim;
      return vectors.map(toUnitVector);
    },
  };
}

/** The answer numbers its vectors and may list them in any order. */
function inOrder(answer: unknown): unknown {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return undefined;
  const entries = data as readonly { readonly index?: number; readonly embedding?: unknown }[];
  return [...entries].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => embedding);
}
