import { createServer } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeServer, listenOn } from '../relay/sdk-peer.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type Flat, type Product, productOn, type Reply, requests, table } from './requests.ts';

/* Clients are generated from `/openapi.json`: it has to be whole in itself, and what it says of an answer has to be so. */

let server: TestServer;
let product: Product;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is what is looked at
let document: any;
let ajv: Ajv2020;
const peer = createServer((incoming, outgoing) => {
  incoming.resume();
  const result = { kind: 'message', role: 'agent', messageId: crypto.randomUUID(), parts: [] };
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
});
beforeAll(async () => {
  server = await startTestServer();
  product = await productOn(server, await listenOn(peer));
  document = await (await server.fetch('/openapi.json')).json();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
});
afterAll(async () => {
  await server.close();
  await closeServer(peer);
});

/** The faults of an answer beside what the document says of its operation and status. */
function faultsOf(name: string, { status, json }: Reply): string[] {
  const { http } = table[name]!;
  const path = http!.path.replace(/\{(\w+)\*\}/g, '{$1}');
  const method = http!.method.toLowerCase();
  const responses = document.paths[path][method].responses;
  const named = responses[String(status)] ? String(status) : 'default';
  if (named === 'default' && status < 400) return [`answers ${status}, which the document does not name`];
  if (json === undefined) return responses[named].content ? ['answers nothing'] : [];
  const pointer = ['paths', path, method, 'responses', named, 'content', 'application/json', 'schema'].map(
    (part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const check = ajv.getSchema(`openapi#/${pointer.join('/')}`);
  if (!check) return [`answers ${status} with a body that the document does not describe`];
  check(json);
  return (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

describe('/openapi.json', () => {
  it('refers to nothing that is not in it', () => {
    const missing: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref } = value as { $ref?: unknown };
      if (typeof $ref === 'string') {
        const parts = $ref.replace(/^#\//, '').split('/');
        const found = parts.reduce<Record<string, never> | undefined>(
          (at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
          document,
        );
        if (found === undefined) missing.push($ref);
      }
      for (const each of Object.values(value)) visit(each);
    };
    visit(document);
    expect(missing).toEqual([]);
  });

  it('gives each operation an id of its own, and a path parameter for each part of its path', () => {
    const ids: string[] = [];
    for (const [path, methods] of Object.entries<
      Record<string, { operationId: string; parameters: { in: string; name: string }[] }>
    >(document.paths)) {
      for (const { operationId, parameters } of Object.values(methods)) {
        ids.push(operationId);
        const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
        expect({ operationId, inPath: inPath.sort() }).toEqual({
          operationId,
          inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort(),
        });
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(Object.keys(requests))('says what comes back: %s', async (name) => {
    const { input, token } = await requests[name]!(product);
    const reply = await product.ask(name, input, token === undefined ? {} : { token });
    expect(`${reply.status} ${reply.text}`).toMatch(/^2/);
    expect(faultsOf(name, reply)).toEqual([]);
  });

  const reads = Object.values(table).filter(
    ({ kind, http }) =>
      kind === 'call' && http?.method === 'GET' && !http.path.includes('{') && http.path !== '/openapi.json',
  );
  it.each(reads.map(({ name }) => name))('says what comes back, a refusal included: %s', async (name) => {
    const reply = await product.ask(name, {} as Flat);
    expect(faultsOf(name, reply)).toEqual([]);
  });

  it.each(reads.map(({ name }) => name))('says how a stranger is refused: %s', async (name) => {
    const reply = await product.ask(name, {} as Flat, { token: 'baton_nobody' });
    expect(faultsOf(name, reply)).toEqual([]);
  });
});
