import { expect, it } from 'vitest';
import { createClient } from './client.ts';
import { BatonRequestError, BatonUnreachableError } from './error.ts';

const answering = (answer: () => Promise<Response>) => createClient({ fetch: answer as typeof fetch });

it('tells a server that cannot be reached from one that refuses, and from an answer of somebody else', async () => {
  const gone = createClient({ url: 'http://127.0.0.1:9' });
  await expect(gone.call('system.health', {})).rejects.toBeInstanceOf(BatonUnreachableError);
  const refusing = answering(async () =>
    Response.json({ error: { code: 'forbidden', message: 'No.' } }, { status: 403 }),
  );
  await expect(refusing.call('system.health', {})).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  const proxy = answering(
    async () => new Response('<html>', { headers: { 'content-type': 'application/json' } }),
  );
  const misread = proxy.call('system.health', {});
  await expect(misread).rejects.toBeInstanceOf(BatonRequestError);
  await expect(misread).rejects.toMatchObject({ code: 'unreadable_answer' });
});

it('says that the line broke when an answer stops half way', async () => {
  const broken = () =>
    new Response(
      new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode('{"status"')),
        pull: (stream) => stream.error(new TypeError('terminated')),
      }),
    );
  await expect(answering(async () => broken()).call('system.health', {})).rejects.toBeInstanceOf(
    BatonUnreachableError,
  );
});

it('leaves an abort what it is', async () => {
  const stop = new AbortController();
  stop.abort();
  const call = createClient({ url: 'http://127.0.0.1:9' }).call('system.health', {}, { signal: stop.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});
