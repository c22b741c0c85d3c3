import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionOf, manifestOf } from '../../src/slices/governance/testing/manifest.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';

let server: TestServer;
let peer: SdkPeer;
let agentKey: string;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startSdkPeer('0.3');
  const agent = { actor_id: 'asker', actor_type: 'agent', scopes: ['relay:send'] } as const;
  agentKey = (await server.client.call('keys.create', { ...agent, scopes: [...agent.scopes] })).token!;
  const register = (id: string, settings: object) =>
    server.client.call('relay.peer.register', { id, url: peer.url, ...settings });
  await register('allowed', { governed_action: 'peer.ask' });
  await register('denied', { governed_action: 'peer.order' });
  await register('approved', { governed_action: 'peer.spend' });
  await register('unheard-of', { governed_action: 'peer.unknown' });
  await register('strict', { governed: true });
  await register('depositing', { deposit: true });
  await server.client.call('atlas.load', {
    manifest: manifestOf({
      actions: ['peer.ask', 'peer.order', 'peer.spend'].map((id) => actionOf(id)),
      policies: [
        { policy_id: 'ask', type: 'allow', actions: ['peer.ask'] },
        { policy_id: 'order', type: 'deny', actions: ['peer.order'] },
        { policy_id: 'spend', type: 'require_approval', actions: ['peer.spend'] },
      ],
    }),
  });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

interface Rpc {
  readonly result?: { readonly id: string; readonly status: { readonly state: string } };
  readonly error?: { readonly code: number; readonly message: string };
}

async function send(agent: string, contextId: string, text = 'hello', method = 'message/send'): Promise<Rpc> {
  const message = {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    contextId,
    parts: [{ kind: 'text', text }],
  };
  const response = await fetch(`${server.url}/a2a/${agent}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-baton-key': agentKey },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
  return response.json() as Promise<Rpc>;
}

async function spans(sessionId: string, count: number) {
  const read = async () => (await server.client.call('relay.spans', { session_id: sessionId })).items;
  await expect.poll(async () => (await read()).length).toBeGreaterThanOrEqual(count);
  return read();
}

async function journalEvent(eventId: unknown) {
  const { events } = await server.client.call('journal.changes', { after: -1, limit: 1000 });
  return events.map(({ event }) => event).find(({ event_id }) => event_id === eventId);
}

it('a message that policy allows is forwarded, and its spans name the resolution and the journal', async () => {
  expect((await send('allowed', 'join-allowed')).result?.status.state).toBe('completed');
  for (const { attributes } of await spans('join-allowed', 3)) {
    expect(attributes).toMatchObject({
      'o2r.journal.session_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'o2r.journal.event_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
  const task = (await spans('join-allowed', 3)).find(({ name }) => name === 'a2a.task');
  expect(task?.attributes['o2r.governance.resolution_id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(await journalEvent(task?.attributes['o2r.journal.event_id'])).toMatchObject({
    event_type: 'relay.task_ended',
    payload: { trace_id: task?.trace_id, state: 'completed' },
  });
});

it.each([
  ['denied', /policy/i],
  ['unheard-of', /No Atlas has the action/],
  ['strict', /denied by policy/],
])('a message to %s never reaches the peer: told, traced, and in the journal', async (agent, reason) => {
  for (const method of ['message/send', 'message/stream']) {
    const before = peer.bodies.length;
    const { error } = await send(agent, `join-${agent}-${method}`, 'hello', method);
    expect(error).toMatchObject({ code: -32010, message: expect.stringMatching(reason) });
    expect(peer.bodies.length).toBe(before);
    const [span] = await spans(`join-${agent}-${method}`, 1);
    expect(span).toMatchObject({
      name: 'a2a.relay.reject',
      attributes: { 'o2r.relay.failure_class': 'governance_refused' },
    });
    expect(await journalEvent(span?.attributes['o2r.journal.event_id'])).toMatchObject({
      event_type: 'peer.refused',
      payload: { peer_id: agent, failure_class: 'governance_refused' },
    });
  }
});

it('a message that needs a person waits in the inbox, and goes through once approved', async () => {
  expect((await send('approved', 'join-waits')).error?.message).toMatch(/person must approve/);
  const { items } = await server.client.call('inbox.list', {});
  for (const { id, digest } of items.filter(({ kind }) => kind.includes('approval')))
    await server.client.call('inbox.decide', { id, digest, decision: 'approve' });
  expect((await send('approved', 'join-waits')).result?.status.state).toBe('completed');
});

it('a task that completes leaves a handoff package, where the peer says so', async () => {
  const { result } = await send('depositing', 'join-deposit', 'write the report');
  await send('allowed', 'join-deposit', 'nothing to keep');
  const titles = async () => {
    const response = await server.fetch('/v1/projects/default/packages');
    const packages = (await response.json()) as { title: string; description: string }[];
    return packages.map(({ title, description }) => `${title} → ${description}`);
  };
  await expect.poll(titles).toEqual(['depositing: write the report → echo: write the report!']);
  expect(result?.status.state).toBe('completed');
});
