import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutors, httpExecutor, runExecutor } from './executors.ts';
import { parameterFaults, schemaProblem } from './parameter-check.ts';

const call = {
  executionId: 'e1',
  actionId: 'a.b',
  parameters: { n: 1 },
  sessionId: 's',
  agentId: 'bot',
  projectId: 'p',
  idempotencyKey: null,
};

describe('calls to http executors', () => {
  let server: Server;
  let port: number;
  const seen: { url: string; body: string; key: string | undefined }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        seen.push({ url: request.url ?? '', body, key: request.headers['idempotency-key'] as string });
        if (request.url === '/redirect')
          response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        else if (request.url === '/fail') response.writeHead(500).end('no');
        else if (request.url === '/text') response.end('plain');
        else if (request.url === '/large') response.end(`"${'x'.repeat(2_000_000)}"`);
        else if (request.url === '/hang') return;
        else response.end(JSON.stringify({ got: JSON.parse(body).parameters }));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const run = (url: string, allowedHosts: string[] = []) => {
    const executors = createExecutors({ http: (address) => httpExecutor(address, { allowedHosts }) });
    return runExecutor(executors.find(url), call, 2);
  };

  it.each([
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://localhost',
    'http://user:secret@1.1.1.1',
  ])('never reach %s', async (origin) => {
    const before = seen.length;
    expect(await run(`${origin.replace(/^http:\/\//, 'http://')}:${port}/x`)).toMatchObject({
      ok: false,
      code: 'ADDRESS_REFUSED',
    });
    expect(seen.length).toBe(before);
  });

  it('hand over the parameters and bring back the result where the host is allowed', async () => {
    const host = `127.0.0.1:${port}`;
    expect(await run(`http://${host}/ok`, [host])).toEqual({ ok: true, result: { got: { n: 1 } } });
    expect(seen.at(-1)).toMatchObject({ url: '/ok', key: 'e1' });
    expect(await run(`http://${host}/redirect`, [host])).toMatchObject({
      ok: false,
      code: 'EXECUTION_ERROR',
    });
    expect(await run(`http://${host}/fail`, [host])).toMatchObject({
      ok: false,
      message: 'The executor answered 500.',
    });
    expect(await run(`http://${host}/text`, [host])).toMatchObject({
      ok: false,
      message: 'The executor did not answer JSON.',
    });
    expect(await run(`http://${host}/large`, [host])).toMatchObject({ ok: false });
    expect(await run(`http://${host}/hang`, [host])).toMatchObject({ ok: false, code: 'EXECUTION_TIMEOUT' });
  });
});

describe('parameters', () => {
  it('are checked against the schema, every fault with its place', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', format: 'uuid' }, n: { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    };
    expect(parameterFaults(schema, { n: 0, x: 1 }).map(({ pointer }) => pointer)).toEqual([
      '/id',
      '/x',
      '/n',
    ]);
    expect(parameterFaults(schema, { id: 'no' }).map(({ pointer }) => pointer)).toEqual(['/id']);
    expect(parameterFaults(undefined, { anything: true })).toEqual([]);
  });

  it('cannot be checked against a schema that is none, or that points elsewhere', () => {
    expect(schemaProblem({ type: 'nonsense' })).toBeDefined();
    expect(schemaProblem({ $ref: 'https://example.com/schema.json' })).toBeDefined();
    expect(
      schemaProblem({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }),
    ).toBeUndefined();
  });
});
