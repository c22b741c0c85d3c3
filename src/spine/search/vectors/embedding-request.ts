import { searchErrors } from '../errors.ts';

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

/** Asks for the texts batch by batch; `read` takes one answer apart. */
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
