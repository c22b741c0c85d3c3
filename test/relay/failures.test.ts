import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { holdPieces } from './held-pieces.ts';
import { deadAddress, type Fault, startMisbehavingPeer, UNANSWERED } from './misbehaving-peer.ts';
import { startRpcPeer } from './rpc-peer.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';
import { watchCallers } from './watch-callers.ts';

let server: TestServer;
let peer: Awaited<ReturnType<typeof startMisbehavingPeer>>;
let echo: SdkPeer;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startMisbehavingPeer();
  echo = await startSdkPeer('0.3');
  await server.client.call('relay.peer.register', { id: 'bad', url: peer.url });
  await server.client.call('relay.peer.register', { id: 'hasty', url: peer.url, timeout_seconds: 1 });
  await server.client.call('relay.peer.register', { id: 'dead', url: await deadAddress() });
  await server.client.call('relay.peer.register', { id: 'echo', url: echo.url });
  await server.client.call('relay.peer.register', { id: 'open', url: echo.url, access: 'open' });
  await server.client.call('relay.peer.register', { id: 'governed', url: echo.url, governed: true });
});
afterAll(async () => {
  await server.close();
  await peer.close();
  await echo.close();
});

interface Rpc {
  readonly id: unknown;
  readonly result?: { readonly status: { readonly state: string } };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { reason: string }[] };
}

function post(agent: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/a2a/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken, ...headers },
    body,
  });
}

function message(method: string, text: string, contextId: string): string {
  const parts = [{ kind: 'text', text }];
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method,
    params: { message: { kind: 'message', messageId: 'm', role: 'user', contextId, parts } },
  });
}

async function spans(sessionId: string, count: number) {
  const read = async () => (await server.client.call('relay.spans', { session_id: sessionId })).items;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  return read();
}

describe('what is no request', () => {
  it.each([
    ['invalid JSON', '{"jsonrpc"', -32700],
    ['a duplicate key', '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"message/send"}', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"message/send"}]', -32600],
    ['no JSON-RPC', '{"id":1,"method":"message/send"}', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"tasks/explode"}', -32601],
  ])('is answered in JSON-RPC: %s', async (_, body, code) => {
    const answer = (await (await post('echo', body)).json()) as Rpc;
    expect(answer.error?.code).toBe(code);
  });

  it('is told which versions there are', async () => {
    const response = await post('echo', message('message/send', 'x', 'v'), { 'a2a-version': '9.9' });
    expect(((await response.json()) as Rpc).error?.code).toBe(-32009);
  });

  it('names no task, or one that nobody owns', async () => {
    const call = (params: object) =>
      post('-', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params }));
    expect(((await (await call({})).json()) as Rpc).error?.code).toBe(-32602);
    expect(((await (await call({ id: 'nobodys' })).json()) as Rpc).error?.code).toBe(-32001);
  });
});

describe('a peer that fails', () => {
  it.each(UNANSWERED)(
    '%s %s is -32011 and %s, in the answer and in every span',
    async (agent, fault, failureClass) => {
      const session = `fails-${agent}-${fault}`;
      const answer = (await (await post(agent, message('message/send', fault, session))).json()) as Rpc;
      expect(answer).toMatchObject({
        id: 7,
        error: { code: -32011, data: [{ reason: failureClass.toUpperCase() }] },
      });
      const found = await spans(session, 2);
      expect(found.map(({ status, attributes }) => [status, attributes['o2r.relay.failure_class']])).toEqual(
        found.map(() => ['error', failureClass]),
      );
      expect(found.find(({ name }) => name === 'a2a.task')?.attributes['o2r.task.state']).toBe('failed');
    },
  );

  it('asks for a credential: that is between it and its caller', async () => {
    const response = await post('bad', message('message/send', 'needs-credential', 'auth'));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="peer"');
    expect((await spans('auth', 2))[0]?.attributes['o2r.relay.failure_class']).toBe('peer_auth');
  });

  it('answers an error of its own, which is passed on unchanged', async () => {
    const response = await post('bad', message('message/send', 'rpc-error', 'own'));
    expect(await response.text()).toBe(
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32004,"message":"not here"}}',
    );
    expect((await spans('own', 2))[0]?.attributes['o2r.relay.failure_class']).toBe('peer_jsonrpc_error');
  });

  it.each([
    ['dead', 'anything'],
    ['bad', 'cut-stream'],
  ])('in a stream (%s) says so before the stream closes', async (agent, fault) => {
    const session = `stream-${agent}-${fault}`;
    const text = await (await post(agent, message('message/stream', fault, session))).text();
    expect(text).toContain('"code":-32011');
    const task = (await spans(session, 2)).find(({ name }) => name === 'a2a.task');
    expect(task).toMatchObject({
      status: 'error',
      attributes: { 'o2r.relay.failure_class': 'peer_disconnect', 'o2r.task.state': 'failed' },
    });
  });

  it('ends a stream too early, and the task is not called completed', async () => {
    const text = await (
      await post('bad', message('message/stream', 'half-stream' satisfies Fault, 'half'))
    ).text();
    expect(text).toContain('"state":"working"');
    const task = (await spans('half', 2)).find(({ name }) => name === 'a2a.task');
    expect(task).toMatchObject({ status: 'error', attributes: { 'o2r.task.state': 'failed' } });
  });
});

describe('true outcomes', () => {
  it.each([
    ['hello', 'completed', 'ok'],
    ['fail', 'failed', 'error'],
    ['ask', 'input-required', 'unset'],
    ['message', 'completed', 'ok'],
  ])('%s ends as %s', async (text, state, status) => {
    for (const method of ['message/send', 'message/stream']) {
      const session = `outcome-${text}-${method}`;
      await (await post('echo', message(method, text, session))).text();
      const found = await spans(session, 3);
      expect(found.find(({ name }) => name === 'a2a.task')).toMatchObject({
        status,
        attributes: { 'o2r.task.state': state },
      });
      const chunks = found.flatMap(({ events }) =>
        events.filter(({ name }) => name === 'a2a.message.stream_chunk'),
      );
      expect(chunks.map(({ attributes }) => attributes.seq)).toEqual(chunks.map((_, i) => i));
      expect(chunks.map(({ attributes }) => attributes.final)).toEqual(
        chunks.map((_, i) => i === chunks.length - 1),
      );
    }
  });
});

describe('bytes', () => {
  it('of a request and of its answer are passed on as they are, unary and streamed', async () => {
    for (const method of ['message/send', 'message/stream']) {
      const body = message(method, 'bytes  é\\u00e9', 'bytes').replace('"id":7', '"id" :  7');
      const answer = await (await post('echo', body)).text();
      expect(echo.bodies.at(-1)).toBe(body);
      await expect.poll(() => echo.answers.at(-1)).toBe(answer);
    }
  });
});

describe('who may speak', () => {
  it('needs a key, in the header or in the path', async () => {
    const body = message('message/send', 'x', 'who');
    const bare = (path: string) =>
      fetch(`${server.url}/a2a/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    expect((await bare('echo')).status).toBe(401);
    expect((await bare(`~${server.ownerToken}/echo`)).status).toBe(200);
    expect((await bare('~wrong/echo')).status).toBe(401);
    expect((await bare('open')).status).toBe(200);
    const { token } = await server.client.call('keys.create', {
      actor_id: 'x',
      actor_type: 'agent',
      scopes: ['self'],
    });
    expect((await bare(`~${token}/echo`)).status).toBe(403);
  });

  it('is told in the card to come back by the same way', async () => {
    const card = await fetch(`${server.url}/a2a/~${server.ownerToken}/echo/.well-known/agent-card.json`);
    expect(((await card.json()) as { url: string }).url).toBe(`${server.url}/a2a/~${server.ownerToken}/echo`);
    expect(card.headers.get('cache-control')).toContain('private');
  });

  it('to a governed peer is refused where nothing allows it, and that is in the journal', async () => {
    const answer = (await (await post('governed', message('message/send', 'x', 'gov'))).json()) as Rpc;
    expect(answer.error?.code).toBe(-32010);
    const [span] = await spans('gov', 1);
    expect(span).toMatchObject({
      name: 'a2a.relay.reject',
      attributes: { 'o2r.relay.mode': 'reject', 'o2r.relay.failure_class': 'governance_refused' },
    });
    await expect
      .poll(async () => {
        return JSON.stringify(await server.client.call('journal.changes', { after: -1 }));
      })
      .toContain('peer.refused');
  });

  it('is routed by what the message names, and later by whose task it is', async () => {
    const body = JSON.parse(message('message/send', 'routed', 'routed'));
    body.params.message.metadata = { 'agent.id': 'A', 'agent.target': 'echo' };
    const sent = (await (await post('-', JSON.stringify(body))).json()) as { result: { id: string } };
    await expect
      .poll(async () =>
        (await server.client.call('relay.tasks', {})).items.some(({ task_id }) => task_id === sent.result.id),
      )
      .toBe(true);
    const get = await post(
      '-',
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: sent.result.id } }),
    );
    expect(((await get.json()) as Rpc).result?.status.state).toBe('completed');
    const graph = await server.client.call('relay.graph', { session_id: 'routed' });
    expect(graph.edges.map(({ from, to }) => `${from}→${to}`)).toEqual(
      expect.arrayContaining(['A→relay', 'relay→echo']),
    );
  });
});

describe('a caller that drops', () => {
  it('comes back and has missed nothing and got nothing twice', async () => {
    const held = holdPieces();
    const slow = await startSdkPeer('0.3', held);
    const callers = watchCallers('/a2a/slow');
    await server.client.call('relay.peer.register', { id: 'slow', url: slow.url });
    const gone = new AbortController();
    const response = await fetch(`${server.url}/a2a/slow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
      body: message('message/stream', 'long', 'drop'),
      signal: gone.signal,
    });
    const reader = response.body!.getReader();
    let before = '';
    while (!before.includes('artifact-update'))
      before += new TextDecoder().decode((await reader.read()).value);
    gone.abort();
    const taskId = /"taskId":"([^"]+)"/.exec(before)?.[1];
    await callers.allGone();
    held.release();
    await expect.poll(() => slow.answers.length).toBe(1);
    const again = await post(
      'slow',
      JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'tasks/resubscribe', params: { id: taskId } }),
    );
    const after = await again.text();
    const pieces = (text: string) =>
      [...text.matchAll(/"artifact-update".*?"text":"([^"]*)"/g)].map((match) => match[1]);
    expect([...pieces(before), ...pieces(after)].join('')).toBe('echo: long!');
    expect(after).toContain('"id":99');
    expect(after).toContain('"kind":"task"');
    const task = (await spans('drop', 3)).find(({ name }) => name === 'a2a.task');
    expect(task?.attributes).toMatchObject({ 'o2r.task.state': 'completed', 'o2r.relay.client_gone': true });
    await slow.close();
  });

  it('is noted when it leaves before the first event, and finds the whole stream when it comes back', async () => {
    let begin = () => {};
    let finish = () => {};
    const late = await startRpcPeer(({ contextId, response, events }) => {
      begin = () => {
        const of = { taskId: 'late', contextId };
        const event = events();
        event({ kind: 'task', id: 'late', contextId, status: { state: 'submitted' } });
        event({ kind: 'status-update', ...of, status: { state: 'working' }, final: false });
        finish = () => {
          event({ kind: 'status-update', ...of, status: { state: 'completed' }, final: true });
          response.end();
        };
      };
    });
    await server.client.call('relay.peer.register', { id: 'late', url: late.url, version: '0.3' });
    const callers = watchCallers('/a2a/late');
    const gone = new AbortController();
    const left = fetch(`${server.url}/a2a/late`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-baton-key': server.ownerToken },
      body: message('message/stream', 'hello', 'left-early'),
      signal: gone.signal,
    }).catch(() => 'left');
    const untouched = begin;
    await expect.poll(() => begin).not.toBe(untouched);
    gone.abort();
    expect(await left).toBe('left');
    await callers.allGone();
    begin();
    await expect
      .poll(async () => (await server.client.call('relay.tasks', {})).items.map(({ task_id }) => task_id))
      .toContain('late');
    const again = JSON.stringify({
      jsonrpc: '2.0',
      id: 8,
      method: 'tasks/resubscribe',
      params: { id: 'late' },
    });
    const back = await post('late', again);
    finish();
    const heard = await back.text();
    expect([...heard.matchAll(/"state":"([^"]+)"/g)].map(([, state]) => state)).toEqual([
      'submitted',
      'working',
      'completed',
    ]);
    const task = (await spans('left-early', 4)).find(({ name }) => name === 'a2a.task');
    expect(task?.attributes).toMatchObject({ 'o2r.task.state': 'completed', 'o2r.relay.client_gone': true });
    await late.close();
  });
});
