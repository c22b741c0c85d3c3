import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
});

const PIECE = Buffer.alloc(65_536, 0x20);
const MOST = 16 * 1024 * 1024;
/** What the kernel and Node hold between the two ends before anybody waits. */
const IN_FLIGHT = 16 * 1024 * 1024;

interface Upload {
  readonly status: number;
  /** How much of the body the server's end took before it answered or closed. */
  readonly taken: number;
}

/** Sends a body without a length, for as long as the other end takes it, up to 256 MB. */
function endlessUpload(head: readonly string[]): Promise<Upload> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answer = '';
    let over = false;
    socket.on('data', (piece) => {
      answer += piece;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      over = true;
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
        taken: socket.bytesWritten - socket.writableLength,
      });
    });
    const pour = () => {
      while (!over && socket.bytesWritten < 256 * 1024 * 1024) {
        socket.write(`${PIECE.length.toString(16)}\r\n`);
        socket.write(PIECE);
        if (!socket.write('\r\n')) return socket.once('drain', pour);
      }
      return socket.end('0\r\n\r\n');
    };
    socket.write([...head, 'transfer-encoding: chunked', '', ''].join('\r\n'));
    pour();
  });
}

describe('a caller who never stops sending', () => {
  const port = () => new URL(server.url).port;
  const key = () => `x-baton-key: ${server.ownerToken}`;
  const bearer = () => `authorization: Bearer ${server.ownerToken}`;
  const json = 'content-type: application/json';

  it.each([
    ['an agent by name', () => ['POST /a2a/nobody HTTP/1.1', `host: 127.0.0.1:${port()}`, key(), json]],
    [
      'an agent at the IPv6 address',
      () => ['POST /a2a/nobody HTTP/1.1', `host: [::1]:${port()}`, key(), json],
    ],
    ['a message at the IPv6 address', () => ['POST /a2a/- HTTP/1.1', `host: [::1]:${port()}`, key(), json]],
    [
      'an agent with a strange path',
      () => ['POST /a2a/-/%7e/%zz HTTP/1.1', `host: 127.0.0.1:${port()}`, key(), json],
    ],
    ['a call', () => ['POST /v1/keys HTTP/1.1', `host: 127.0.0.1:${port()}`, bearer(), json]],
    ['a call at the IPv6 address', () => ['POST /v1/keys HTTP/1.1', `host: [::1]:${port()}`, bearer(), json]],
    ['MCP', () => ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${port()}`, bearer(), json]],
  ])('to %s is answered and cut off at the limit, not read to the end', async (_, head) => {
    const { status, taken } = await endlessUpload(head());
    expect(status).toBeLessThan(500);
    expect(taken).toBeLessThan(MOST + IN_FLIGHT);
  });
});

describe('what cannot be decoded is the mistake of its sender', () => {
  it.each([
    '/%zz.js',
    '/assets/%c3%28.css',
    '/v1/inbox/%zz',
    '/a2a/%zz',
    '/a2a/~key/%zz/v1/card',
    '/agent-channel/%ff',
  ])('in the path %s', async (path) => {
    const response = await server.fetch(path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(server.failures).toEqual([]);
  });

  it.each(['null', '[]', '0', '"x"', 'true', '{"resourceSpans":null}', '{"resourceSpans":[null]}'])(
    'in an export of spans that is %s',
    async (body) => {
      const response = await server.fetch('/v1/traces', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(response.status).toBeLessThan(500);
      expect(server.failures).toEqual([]);
    },
  );
});
