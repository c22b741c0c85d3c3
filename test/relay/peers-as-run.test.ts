import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { a2aRequest } from './a2a-request.ts';
import { type RpcAgent, startRpcAgent } from './rpc-agent.ts';
import { closeServer, listenOn } from './sdk-peer.ts';

const SECRET = 'tok-7f3a9c51d2e84b60';
let server: TestServer;
let agent: RpcAgent;
let names = 0;
beforeAll(async () => {
  server = await startTestServer();
  agent = await startRpcAgent();
});
afterAll(async () => {
  await server.close();
  await agent.close();
});
beforeEach(() => {
  agent.seen.length = 0;
  agent.instead = () => false;
});

async function register(settings: object, url = agent.url) {
  const id = `peer-${names++}`;
  await server.client.call('relay.peer.register', { id, url, ...settings });
  return id;
}

const post = (id: string, body = a2aRequest('message/send', 'hi', 'as-run'), headers = {}) =>
  fetch(`${server.url}/a2a/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken, ...headers },
    body,
  });
const READ = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 't-1' } });
const answered = async (id: string, body?: string) =>
  (await (await post(id, body)).json()) as {
    result?: { status: object };
    error?: { code: number; message: string };
  };

it('is found as soon as it is registered, although it was asked for a moment before', async () => {
  const id = `peer-${names}`;
  expect((await post(id)).status).toBe(404);
  expect(await register({})).toBe(id);
  expect((await post(id)).status).toBe(200);
});

describe('a credential towards a peer', () => {
  it('is a bearer token in place of what the caller sends', async () => {
    const id = await register({ credential: { type: 'bearer', token: SECRET } });
    await post(id, undefined, { authorization: 'Bearer of-the-caller' });
    expect(agent.seen[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('is a key in a header, beside what the caller sends, or in the address', async () => {
    const inHeader = await register({ credential: { type: 'api_key', key: SECRET, name: 'X-Key' } });
    await post(inHeader, undefined, { authorization: 'Bearer of-the-caller' });
    expect(agent.seen[0]?.headers).toMatchObject({
      'x-key': SECRET,
      authorization: 'Bearer of-the-caller',
    });
    const inQuery = await register({
      credential: { type: 'api_key', key: SECRET, in: 'query', name: 'key' },
    });
    await post(inQuery);
    expect(agent.seen[1]?.url).toBe(`/?key=${SECRET}`);
  });

  it('is told to nobody: not in an answer, the store, a span or the journal', async () => {
    const id = await register({ credential: { type: 'api_key', key: SECRET, in: 'query' } });
    await post(id);
    await expect
      .poll(async () => (await server.client.call('relay.spans', { session_id: 'as-run' })).items.length)
      .toBeGreaterThan(2);
    const { items } = await server.client.call('relay.peers', {});
    expect(items.find((one) => one.id === id)?.credential).toMatchObject({ type: 'api_key' });
    const spans = await server.client.call('relay.spans', { session_id: 'as-run' });
    const events = await server.client.call('journal.changes', { after: -1, limit: 1000 });
    for (const shown of [items, spans, events]) expect(JSON.stringify(shown)).not.toContain(SECRET);
    for (const file of ['baton.db', 'baton.db-wal'])
      expect((await readFile(join(server.dataDir, file))).includes(SECRET)).toBe(false);
  });

  it('is not told to callers by an agent that repeats it, in whichever pieces', async () => {
    const id = await register({ credential: { type: 'api_key', key: SECRET, name: 'X-Key' } });
    agent.instead = ({ headers }, response) => {
      const error = { code: -32000, message: `Refused: ${headers['x-key']}` };
      response.writeHead(200, { 'content-type': 'application/json', 'x-said': String(headers['x-key']) });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, error }));
      return true;
    };
    const unary = await post(id);
    expect(unary.headers.get('x-said')).toBe('__REDACTED__');
    expect(await unary.text()).toContain('"message":"Refused: __REDACTED__"');
    agent.instead = async ({ headers }, response) => {
      const key = String(headers['x-key']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const [frame = '', rest] =
        `data: {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"${key}"}}\n\n`.split(key.slice(9));
      response.write(frame);
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.end(`${key.slice(9)}${rest}`);
      return true;
    };
    const streamed = await (await post(id, a2aRequest('message/stream', 'hi', 'echoed'))).text();
    expect(streamed).toContain('"message":"__REDACTED__"');
    expect(streamed).not.toContain(SECRET.slice(9));
  });

  it('stays when the peer is registered again, and does not follow it to another host', async () => {
    const id = await register({ credential: { type: 'bearer', token: SECRET } });
    const again = (settings: object) =>
      server.client.call('relay.peer.register', { id, url: agent.url, ...settings });
    expect((await again({ timeout_seconds: 5 })).credential?.type).toBe('bearer');
    const elsewhere = await startRpcAgent();
    expect((await again({ url: elsewhere.url })).credential).toBeUndefined();
    await post(id);
    expect(elsewhere.seen[0]?.headers.authorization).toBeUndefined();
    await elsewhere.close();
    expect((await again({ credential: null })).credential).toBeUndefined();
  });

  it('is an OAuth token, asked for once, and again when the peer refuses it', async () => {
    let asked = 0;
    let credentials: string | undefined;
    const issuer = createServer((request, response) => {
      asked += 1;
      credentials = request.headers.authorization;
      // The first is old the moment it is made.
      response.end(JSON.stringify({ access_token: `made-${asked}`, expires_in: 3600 }));
    });
    const token_url = await listenOn(issuer);
    const id = await register({
      credential: { type: 'oauth2', token_url, client_id: 'me:too', client_secret: SECRET, scope: 'a2a' },
    });
    await Promise.all([post(id), post(id)]);
    expect(asked).toBe(1);
    expect(credentials).toBe(`Basic ${btoa(`me%3Atoo:${SECRET}`)}`);
    expect(agent.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer made-1',
      'Bearer made-1',
    ]);
    await closeServer(issuer);
  });

  it('that is not to be had is said, and nothing is sent', async () => {
    const issuer = createServer((_, response) => void response.writeHead(400).end('{"error":"no"}'));
    const token_url = await listenOn(issuer);
    const id = await register({
      retries: 0,
      credential: { type: 'oauth2', token_url, client_id: 'me', client_secret: SECRET },
    });
    const { error } = await answered(id);
    expect(error).toMatchObject({ code: -32011, message: expect.stringContaining('token endpoint') });
    expect(error?.message).not.toContain(SECRET);
    expect(agent.seen).toHaveLength(0);
    await closeServer(issuer);
  });

  it('is a certificate, over a connection that rests on a private authority', async () => {
    const pem = (name: string) => readFile(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
    const [ca, cert, key] = await Promise.all([pem('ca.pem'), pem('server.pem'), pem('server.key')]);
    const [certificate, own] = await Promise.all([pem('client.pem'), pem('client.key')]);
    const guarded = await startRpcAgent({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
    const url = guarded.url.replace('127.0.0.1', 'localhost');
    const bare = await register({ ca, retries: 0 }, url);
    expect((await answered(bare)).error?.code).toBe(-32011);
    const id = await register({ ca, credential: { type: 'mtls', certificate, key: own } }, url);
    expect((await answered(id)).result).toBeDefined();
    await guarded.close();
  });

  it.each([
    { credential: { type: 'bearer', token: 'two\r\nx-evil: 1' } },
    { credential: { type: 'mtls', certificate: 'x', key: 'y' } },
    { ca: 'no certificate' },
  ])('that cannot be meant is refused when it is given: %j', async (settings) => {
    await expect(register(settings, 'https://127.0.0.1:1')).rejects.toMatchObject({ status: 400 });
  });
});

describe('what is sent again', () => {
  const failFirst = (times: number, how: (response: import('node:http').ServerResponse) => void) => {
    let left = times;
    agent.instead = (_, response) => {
      if (left-- <= 0) return false;
      how(response);
      return true;
    };
  };

  it('is a request that changes nothing, while the peer is passingly unwell', async () => {
    const id = await register({ version: '0.3' });
    failFirst(2, (response) => void response.writeHead(503).end());
    expect((await answered(id, READ)).result).toBeDefined();
    expect(agent.seen).toHaveLength(3);
  });

  it('is no message: the agent might do its work twice', async () => {
    const id = await register({ version: '0.3' });
    failFirst(1, (response) => void response.writeHead(503).end());
    expect((await answered(id)).error?.code).toBe(-32011);
    failFirst(1, (response) => void response.socket?.destroy());
    expect((await answered(id)).error?.code).toBe(-32011);
    expect(agent.seen).toHaveLength(2);
  });

  it('is a message that cannot have come to the peer', async () => {
    const late = await startRpcAgent();
    const id = await register({ version: '0.3', retries: 5 }, late.url);
    await late.close();
    const answer = answered(id);
    const back = createServer(async (request, response) => {
      for await (const _ of request);
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result: { kind: 'message', parts: [] } }));
    });
    await new Promise<void>((done) => back.listen(Number(new URL(late.url).port), '127.0.0.1', done));
    expect((await answer).result).toBeDefined();
    await closeServer(back);
  });
});

describe('how much a peer is asked', () => {
  it('is limited at a time, and there is room again afterwards', async () => {
    const id = await register({ version: '0.3', max_concurrent: 1 });
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    agent.instead = () => held.then(() => false);
    const first = post(id);
    await expect.poll(() => agent.seen.length).toBe(1);
    const second = await post(id);
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await second.json()).toMatchObject({ error: { data: [{ reason: 'RELAY_OVERLOAD' }] } });
    letGo();
    expect((await first).status).toBe(200);
    expect((await post(id)).status).toBe(200);
  });

  it('is limited by the minute, for each caller by itself', async () => {
    const id = await register({ version: '0.3', rate_per_minute_per_caller: 2 });
    const key = await server.client.call('keys.create', {
      actor_id: 'other',
      actor_type: 'agent',
      scopes: ['relay:send'],
    });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await post(id)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await post(id, undefined, { 'x-baton-key': key.token ?? '' })).status).toBe(200);
  });
});

describe('the catalogue', () => {
  const skill = (id: string, description: string) => ({ id, name: id, description, tags: ['words'] });

  it('finds agents by what they can do, and says how they are', async () => {
    agent.card = { name: 'Poet', description: 'Writes', skills: [skill('haiku', 'Three lines')] };
    const id = await register({});
    await server.client.call('relay.peers', { cards: true });
    const find = async (query: object) =>
      (await server.client.call('relay.agents', query)).items.filter((one) => one.id === id);
    expect(await find({ query: 'three POET' })).toMatchObject([
      { name: 'Poet', skills: [{ id: 'haiku' }], health: { state: 'healthy' }, card: { number: 1 } },
    ]);
    expect(await find({ skill: 'Haiku', tag: 'words' })).toHaveLength(1);
    expect(await find({ query: 'sonnet' })).toHaveLength(0);
    expect(await server.client.call('relay.discover', { url: agent.url })).toMatchObject({
      suggested_id: 'poet',
      agent: { skills: [{ id: 'haiku' }] },
      registered_as: expect.arrayContaining([id]),
    });
  });

  it('keeps the card of a governed agent in force until a person accepts another', async () => {
    agent.card = { name: 'Careful', skills: [skill('read', 'Reads')] };
    const id = await register({ governed: true });
    const show = async (card: object) => {
      agent.card = card;
      // Looked at anew, as after a minute.
      await server.client.call('relay.peer.register', { id, url: agent.url, governed: true });
      await server.client.call('relay.peers', { cards: true });
      return (await server.client.call('relay.agents', {})).items.find((one) => one.id === id);
    };
    await show(agent.card);
    const changed = { name: 'Careful', skills: [skill('read', 'Reads'), skill('pay', 'Pays')] };
    const asked = await show(changed);
    expect(asked).toMatchObject({ skills: [{ id: 'read' }], card: { number: 1 } });
    const itemId = asked?.card?.waiting ?? '';
    const item = await server.client.call('inbox.get', { id: itemId });
    expect(item.details).toMatchObject({ changes: [{ path: '/skills/pay' }] });
    await server.client.call('inbox.decide', { id: itemId, decision: 'approve', digest: item.digest });
    expect(await show(changed)).toMatchObject({
      skills: [{}, { id: 'pay' }],
      card: { number: 2, waiting: null },
    });
    const { items } = await server.client.call('relay.agent.cards', { id });
    expect(items).toMatchObject([
      { number: 2, state: 'accepted', in_force: true, changes: [{ path: '/skills/pay' }] },
      { number: 1, in_force: false },
    ]);
  });

  it('asks no more about a card that is taken back or was refused', async () => {
    const first = { name: 'Wavering', skills: [] };
    agent.card = first;
    const id = await register({ governed: true });
    const show = async (card: object) => {
      agent.card = card;
      await server.client.call('relay.peer.register', { id, url: agent.url, governed: true });
      await server.client.call('relay.peers', { cards: true });
      return (await server.client.call('relay.agents', {})).items.find((one) => one.id === id)?.card;
    };
    await show(first);
    const other = { name: 'Another', skills: [] };
    expect((await show(other))?.waiting).not.toBeNull();
    expect((await show(first))?.waiting).toBeNull();
    const itemId = (await show(other))?.waiting ?? '';
    const item = await server.client.call('inbox.get', { id: itemId });
    await server.client.call('inbox.decide', { id: itemId, decision: 'reject', digest: item.digest });
    expect((await show(other))?.waiting).toBeNull();
    expect((await show(other))?.number).toBe(1);
  });
});

describe('an agent that never ends its answer', () => {
  it('is given up when its time is over, although it never falls silent', async () => {
    const id = await register({ timeout_seconds: 1, idle_seconds: 60 });
    agent.instead = async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
      return true;
    };
    const { error } = await answered(id);
    expect(error).toMatchObject({ code: -32011, message: 'The peer did not end its answer in time.' });
  });
});
