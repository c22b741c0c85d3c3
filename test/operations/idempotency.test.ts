import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { readDocument } from '../../src/kernel/json/reader.ts';
import { nodeHasher, systemClock } from '../../src/platform/index.ts';
import { createDispatcher, type Dispatcher, type Invocation } from '../../src/spine/dispatch/dispatch.ts';
import { idempotencyMigrations } from '../../src/spine/dispatch/migrations.ts';
import type { Bound } from '../../src/spine/dispatch/registry.ts';
import type { Principal } from '../../src/spine/identity/principal.ts';
import { keyHandlingOf, type Operation } from '../../src/spine/operations/define.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { closeServer, listenOn } from '../relay/sdk-peer.ts';
import { arbitraryFor } from '../setup/arbitrary.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type Product, productOn, type Reply, requests, table } from './requests.ts';

const changing = Object.values(table).filter(({ http }) => http !== undefined && http.method !== 'GET');
const named = (handling: ReturnType<typeof keyHandlingOf>) =>
  changing.filter((operation) => keyHandlingOf(operation) === handling);

/** What needs more of a world than a request: a login, a signature, a repository with a run, a task at a peer. */
const BY_DECLARATION_ALONE = [
  'identity.dashboard_leave',
  'attestations.add',
  'approvals.ask',
  'approvals.decide',
  'conform.execute',
  'delivery.ask',
  'delivery.attach',
  'delivery.resolve',
  'delivery.sync',
  'memory.delivery.retry',
  'memory.key.revoke',
  'memory.profile.import',
  'memory.webhook.remove',
  'notifications.test',
  'oauth.revoke',
  'passkeys.remove',
  'relay.task.cancel',
];

describe('an idempotency key in the table of operations', () => {
  it('is replayed, refused or passed on by every operation that is no GET', () => {
    expect(changing.length).toBeGreaterThan(90);
    expect(named('ignored').map(({ name }) => name)).toEqual([]);
  });

  it('is refused by what answers a secret and by what anybody may ask', () => {
    const refusing = named('refused').map(({ name }) => name);
    expect(refusing).toEqual(expect.arrayContaining(['keys.create', 'identity.login', 'memory.webhook.add']));
    const open = changing.filter(({ kind, scope }) => kind === 'call' && scope === 'open');
    expect(open.filter(({ name }) => !refusing.includes(name))).toEqual([]);
  });

  it('has no stream to be used with: streams are reads', () => {
    expect(changing.filter(({ kind }) => kind === 'stream')).toEqual([]);
  });

  it('is tried by a valid request of every operation that replays, or the operation is listed here', () => {
    const replaying = named('replayed').map(({ name }) => name);
    const tried = [...Object.keys(requests), ...BY_DECLARATION_ALONE];
    expect(tried.sort()).toEqual(replaying.sort());
  });
});

/** What goes out with every answer, whatever the answer is. */
const bare = ({ status, text, headers }: Reply) => {
  const { date: _d, 'x-request-id': _r, 'idempotent-replayed': _i, ...kept } = headers;
  const own = Object.entries(kept).filter(([name]) => !name.startsWith('x-ratelimit-'));
  const body = text.replace(/,"meta":\{[^}]*\}\}$/, '}');
  return { status, body, headers: Object.fromEntries(own.filter(([name]) => name !== 'content-length')) };
};

describeOnEachEngine('an idempotency key over HTTP', (open) => {
  const peer = createServer((incoming, outgoing) => {
    incoming.resume();
    const result = { kind: 'message', role: 'agent', messageId: crypto.randomUUID(), parts: [] };
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  let server: TestServer;
  let product: Product;
  beforeAll(async () => {
    server = await startTestServer({ databaseUrl: open.urlOf(await open([])) });
    product = await productOn(server, await listenOn(peer));
  });
  afterAll(async () => {
    await server.close();
    await closeServer(peer);
  });

  it.each(Object.keys(requests))(
    'gives the first answer again, or refuses another request: %s',
    async (name) => {
      const { input, token } = await requests[name]!(product);
      const asking = { key: product.fresh(), ...(token !== undefined && { token }) };
      const first = await product.ask(name, input, asking);
      expect(`${first.status} ${first.text}`).toMatch(/^2/);
      const again = await product.ask(name, input, asking);
      expect(bare(again)).toEqual(bare(first));
      expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([
        undefined,
        'true',
      ]);
      const other = await product.ask('projects.create', { project_id: product.fresh() }, asking);
      expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_conflict']);
    },
  );

  it.each(named('refused').map(({ name }) => name))('is refused with a code of its own: %s', async (name) => {
    const { http, input } = table[name]!;
    const response = await server.fetch(http!.path, {
      method: http!.method,
      headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
      ...(input.body && { body: '{}' }),
    });
    const { error } = (await response.json()) as { error: { code: string } };
    // CRA's wire writes codes in upper case.
    expect([response.status, error.code.toLowerCase()]).toEqual([400, 'idempotency_refused']);
  });

  it('makes no second key, and no first one either', async () => {
    const before = await server.client.call('keys.list', {});
    const make = () =>
      product.ask('keys.create', { actor_id: 'twice', actor_type: 'agent' }, { key: product.fresh() });
    expect([(await make()).status, (await make()).status]).toEqual([400, 400]);
    expect((await server.client.call('keys.list', {})).keys).toHaveLength(before.keys.length);
  });
});

const RUNS = 3;

/** Those that need more of a world than a request: by their declarations, with a handler of our own. */
describeOnEachEngine('an idempotency key, by declaration', (open) => {
  let dispatcher: Dispatcher;
  beforeAll(async () => {
    dispatcher = createDispatcher(await open(idempotencyMigrations), systemClock, nodeHasher);
  });

  it.each(
    changing.filter(({ kind }) => kind === 'call').map((operation) => [operation.name, operation] as const),
  )('is replayed, conflicts or is refused: %s', async (name, operation) => {
    let effects = 0;
    const bound: Bound = {
      operation: { ...operation, input: {} },
      handler: async () => ({ body: { effect: ++effects } }),
    };
    const invocations = inputsOf(operation).map((parts) => ({
      parts,
      key: `${name} ${crypto.randomUUID()}`,
    }));
    for (const { parts, key } of invocations) {
      const ask = (changed: Partial<Invocation> = {}) =>
        dispatcher.call(bound, { ...invocationOf(operation, parts, key), ...changed });
      if (keyHandlingOf(operation) === 'refused') {
        await expect(ask()).rejects.toMatchObject({ code: 'idempotency_refused' });
        continue;
      }
      const first = await ask();
      expect(await ask()).toEqual({ ...first, headers: { 'idempotent-replayed': 'true' } });
      const renamed = { ...bound, operation: { ...bound.operation, name: `${name}.other` } };
      const other = dispatcher.call(renamed, invocationOf(operation, parts, key));
      await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
    }
    expect(effects).toBe(keyHandlingOf(operation) === 'refused' ? 0 : invocations.length);
  });

  it.each(
    named('forwarded')
      .filter(({ kind }) => kind === 'raw')
      .map((operation) => [operation.name, operation] as const),
  )('is passed on as it came: %s', async (_, operation) => {
    const seen: (string | null)[] = [];
    const handler = (async (request: Request) => {
      seen.push(request.headers.get('idempotency-key'));
      return new Response();
    }) as Bound['handler'];
    const request = new Request('http://localhost/', { headers: { 'idempotency-key': 'k' } });
    const [parts] = inputsOf(operation);
    const ask = () =>
      dispatcher.raw(
        { operation: { ...operation, input: {} }, handler },
        request,
        invocationOf(operation, parts!, 'k'),
      );
    await ask();
    await ask();
    expect(seen).toEqual(['k', 'k']);
  });
});

type Parts = Invocation['parts'];

/** Made from the schemas; what their patterns ask for beyond that is not looked at, since only the handler is missing. */
function inputsOf({ input }: Operation): Parts[] {
  const [paths, queries, headers, bodies] = [input.path, input.query, input.headers, input.body].map(
    (part) => (part ? fc.sample(arbitraryFor(part as z.ZodType), { numRuns: RUNS, seed: 7 }) : []),
  );
  return Array.from({ length: RUNS }, (_, run) => {
    const body = JSON.stringify(bodies![run]);
    return {
      path: (paths![run] ?? {}) as Parts['path'],
      query: (queries![run] ?? {}) as Parts['query'],
      headers: (headers![run] ?? {}) as Parts['headers'],
      document: body === undefined ? undefined : readDocument(body),
    };
  });
}

function invocationOf({ scope }: Operation, parts: Parts, idempotencyKey: string): Invocation {
  return {
    principal: {
      actor: { id: 'ada', type: 'agent' },
      scopes: new Set([scope]),
      projects: 'all',
      defaultProject: 'default',
      credential: { kind: 'key', id: 'k' },
      owner: false,
      speaksFor: [],
      present: true,
    } as Principal,
    parts,
    requestId: 'r',
    signal: new AbortController().signal,
    idempotencyKey,
  };
}
