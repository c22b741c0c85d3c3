import { searchErrors } from '../errors.ts';
import { type Embedder, toUnitVector } from './embedder.ts';

export interface EmbeddingService {
  /** Where the service listens, e.g. `http://127.0.0.1:11434`. */
  readonly url: string;
  readonly model: string;
  /** How a request leaves the process; the product hands in one that keeps to its rules. */
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
  /** Texts in one request. */
  readonly batch?: number;
  /** See `Embedder.floor`; models differ. */
  readonly floor?: number;
}

const TIMEOUT_MS = 30_000;
const BATCH = 64;
export const DEFAULT_FLOOR = 0.35;

/** Requests embeddings batch by batch; `read` parses one response. */
export async function requestEmbeddings(
  service: EmbeddingService,
  path: string,
  headers: Readonly<Record<string, string>>,
  bodyOf: (texts: readonly string[]) => object,
  read: (answer: unknown) => unknown,
  texts: readonly string[],
): Promise<number[][]> {
  const size = service.batch ?? BATCH;
  const vectors: number[][] = [];
  for (let start = 0; start < texts.length; start += size) {
    const part = texts.slice(start, start + size);
    const answer = await post(service, path, headers, bodyOf(part));
    vectors.push(...checkVectors(read(answer), part.length));
  }
  return vectors;
}

async function post(
  service: EmbeddingService,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<unknown> {
  const send = service.fetch ?? fetch;
  const url = `${service.url.replace(/\/+$/, '')}${path}`;
  let response: Response;
  let text: string;
  try {
    response = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(service.timeoutMs ?? TIMEOUT_MS),
    });
    text = await response.text();
  } catch (cause) {
    throw searchErrors.embedder_unavailable({ cause });
  }
  if (response.ok) return parse(text);
  const details = { status: response.status, answer: text.slice(0, 300) };
  if (response.status >= 500 || response.status === 429) throw searchErrors.embedder_unavailable({ details });
  throw searchErrors.embedder_refused({ details });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw searchErrors.embedder_refused({ cause });
  }
}

function checkVectors(value: unknown, count: number): number[][] {
  const dim = Array.isArray(value) && Array.isArray(value[0]) ? value[0].length : 0;
  const sound =
    Array.isArray(value) &&
    value.length === count &&
    dim > 0 &&
    value.every((vector) => Array.isArray(vector) && vector.length === dim && vector.every(Number.isFinite));
  if (!sound) throw searchErrors.embedder_refused({ details: { expected: count } });
  return value as number[][];
}

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

interface OpenAiService extends EmbeddingService {
  readonly apiKey?: string;
  /** For models that can shorten their vectors. */
  readonly dimensions?: number;
}

/** Any service with `POST /v1/embeddings`; its address may be given with or without `/v1`. */
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

/** The response numbers its vectors and may list them in any order. */
function inOrder(answer: unknown): unknown {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return undefined;
  const entries = data as readonly { readonly index?: number; readonly embedding?: unknown }[];
  return [...entries].sort((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => embedding);
}
