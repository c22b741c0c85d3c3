import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { post } from './post.ts';

const TLS = join(import.meta.dirname, '../../../test/fixtures/tls');
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});

async function listening(server: Server, scheme = 'http'): Promise<string> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serving = (listener: RequestListener) => listening(createServer(listener));
const options = { token: 'key', body: '{"a":"ü"}', timeoutMillis: 60_000, sendOnly: false };

it('sends the body with the key, and reads the answer whole, with a length and without', async () => {
  const seen: unknown[] = [];
  const url = await serving(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    seen.push(request.method, request.url, request.headers.authorization, body);
    if (request.url?.startsWith('/long')) response.setHeader('content-length', 5);
    response.statusCode = 201;
    response.write('aü');
    setImmediate(() => response.end('é'));
  });
  expect(await post({ ...options, url: `${url}/short?x=1` })).toEqual({ status: 201, text: 'aüé' });
  expect(await post({ ...options, url: `${url}/long` })).toEqual({ status: 201, text: 'aüé' });
  expect(seen).toEqual([
    ...['POST', '/short?x=1', 'Bearer key', options.body],
    ...['POST', '/long', 'Bearer key', options.body],
  ]);
});

it('does not wait for an answer where nobody reads one', async () => {
  let arrived: (body: string) => void = () => undefined;
  const body = new Promise<string>((resolve) => {
    arrived = resolve;
  });
  const url = await listening(
    createRawServer((socket) => {
      socket.on('data', (bytes) => arrived(bytes.toString('utf8').split('\r\n\r\n')[1] ?? ''));
      socket.on('error', () => undefined).on('close', () => socket.destroy());
      setTimeout(() => socket.destroy(), 200);
    }),
  );
  expect(await post({ ...options, url, sendOnly: true })).toBeUndefined();
  expect(await body).toBe(options.body);
});

it('rejects what broke off, what never came, and whoever cannot be reached or trusted', async () => {
  const broken = await listening(
    createRawServer((socket) => socket.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')),
  );
  await expect(post({ ...options, url: broken })).rejects.toThrow('the server broke off');
  const nothing = await listening(createRawServer((socket) => socket.resume().end()));
  await expect(post({ ...options, url: nothing })).rejects.toThrow('the server broke off');
  const silent = await listening(createRawServer((socket) => socket.resume().on('error', () => undefined)));
  await expect(post({ ...options, url: silent, timeoutMillis: 20 })).rejects.toThrow(
    'did not answer in time',
  );
  await expect(post({ ...options, url: 'http://127.0.0.1:9' })).rejects.toThrow('ECONNREFUSED');
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(join(TLS, name)));
  const stranger = await listening(
    createTlsServer({ key, cert }, (_, response) => response.end('{}')),
    'https',
  );
  await expect(post({ ...options, url: stranger })).rejects.toThrow(/certificate|self.signed/i);
});
