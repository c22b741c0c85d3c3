import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createOllamaEmbedder, createOpenAiEmbedder } from './http-embedders.ts';

interface Seen {
  readonly path: string;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number };
}

let server: Server | undefined;
afterEach(async () => {
  await new Promise((done) => (server === undefined ? done(undefined) : server.close(done)));
  server = undefined;
});

/** A server of the same wire; `answer` gives status and body. */
async function serve(
  answer: (seen: Seen) => readonly [number, unknown],
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    const one = {
      path: request.url ?? '',
      key: request.headers.authorization,
      body: JSON.parse(await textOf(request)),
    };
    seen.push(one);
    const [status, body] = answer(one);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

const lengths = (texts: readonly string[]) => texts.map((text) => [text.length, 1, 0]);

describe('Ollama', () => {
  test('is asked for many texts at once, and its vectors come back scaled to length 1', async () => {
    const { url, seen } = await serve(({ body }) => [
      200,
      { model: body.model, embeddings: lengths(body.input) },
    ]);
    const embedder = createOllamaEmbedder({ url: `${url}/`, model: 'nomic-embed-text', batch: 2 });
    const vectors = await embedder.embed(['a', 'bb', 'ccc']);
    expect(seen.map(({ path, body }) => [path, body.model, body.input])).toEqual([
      ['/api/embed', 'nomic-embed-text', ['a', 'bb']],
      ['/api/embed', 'nomic-embed-text', ['ccc']],
    ]);
    expect(embedder).toMatchObject({ id: 'ollama:nomic-embed-text', dim: 3 });
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  test('that does not know the model is refused for good', async () => {
    const { url } = await serve(() => [404, { error: 'model not found' }]);
    await expect(createOllamaEmbedder({ url, model: 'x' }).embed(['a'])).rejects.toMatchObject({
      code: 'embedder_refused',
      retryable: false,
      details: { status: 404 },
    });
  });

  test('that is not there may be asked again later', async () => {
    const { url } = await serve(() => [200, {}]);
    await new Promise((done) => server?.close(done));
    server = undefined;
    await expect(createOllamaEmbedder({ url, model: 'x' }).embed(['a'])).rejects.toMatchObject({
      code: 'embedder_unavailable',
      retryable: true,
    });
  });
});

describe('an OpenAI-compatible service', () => {
  test('gets the key, and its vectors are put into order by index', async () => {
    const { url, seen } = await serve(({ body }) => [
      200,
      {
        data: lengths(body.input)
          .map((embedding, index) => ({ index, embedding }))
          .reverse(),
      },
    ]);
    const embedder = createOpenAiEmbedder({ url: `${url}/v1`, model: 'm', apiKey: 'secret', dimensions: 3 });
    const [short, long] = (await embedder.embed(['a', 'a longer text'])) as [Float32Array, Float32Array];
    expect(short[0]).toBeLessThan(long[0] as number);
    expect(seen[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer secret', body: { dimensions: 3 } });
    expect(embedder.id).toBe('openai:m:3');
  });

  test.each([
    ['too few vectors', { data: [] }],
    ['numbers that are none', { data: [{ index: 0, embedding: [1, 'x'] }] }],
    ['no JSON', '<html>'],
  ])('that answers %s is refused', async (_, body) => {
    const { url } = await serve(() => [200, body]);
    await expect(createOpenAiEmbedder({ url, model: 'm' }).embed(['a'])).rejects.toMatchObject({
      code: 'embedder_refused',
    });
  });

  test.each([429, 503])('that answers %i may be asked again later', async (status) => {
    const { url } = await serve(() => [status, {}]);
    await expect(createOpenAiEmbedder({ url, model: 'm' }).embed(['a'])).rejects.toMatchObject({
      code: 'embedder_unavailable',
    });
  });
});
