import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../../src/platform/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

const clock = fakeClock('2026-03-01T00:00:00Z');
let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer({}, { clock });
});
afterAll(async () => {
  await server.close();
});

const post = (kind: string, payload: object, more: object = {}) =>
  server.client.call('channel.post', { id, kind, payload, ...more } as never);

describe('an agent channel', () => {
  it('is opened, introduces itself in three forms, and keeps what is posted', async () => {
    ({ id } = await server.client.call('channel.create', { title: 'Ship it', created_by: 'ann' }));
    expect(id).toMatch(/^[A-Z]{2}\d{2}$/);
    await post('spec', { mission: 'ship', rules: [] });
    await post('status', { agent: 'bob', phase: 'ready' }, { author: 'bob' });
    const json = (await (await server.fetch(`/agent-channel/${id.toLowerCase()}`)).json()) as {
      recent_events: { seq: number }[];
    };
    expect(json.recent_events.map(({ seq }) => seq)).toEqual([2, 1]);
    const yaml = await server.fetch(`/agent-channel/${id}?format=yml`);
    expect(yaml.headers.get('content-type')).toBe('application/yaml');
    expect(await yaml.text()).toContain(`id: "${id}"`);
    expect(
      await (await server.fetch(`/agent-channel/${id}`, { headers: { accept: 'text/markdown' } })).text(),
    ).toContain(`# ${id}: "Ship it"`);
    expect((await server.fetch('/agent-channel/zz99x')).status).toBe(404);
    expect(await server.client.call('channel.spec', { id })).toEqual({ mission: 'ship', rules: [] });
    expect((await server.fetch(`/agent-channel/${id}/state`)).status).toBe(404);
  });

  it('lets exactly one of many writers win each version of the state', async () => {
    for (let version = 0, seq = 0; version < 3; version += 1) {
      const tries = await Promise.allSettled(
        Array.from({ length: 40 }, (_, writer) =>
          post('state', { version, writer }, { expected_state_seq: seq }),
        ),
      );
      const won = tries.filter(({ status }) => status === 'fulfilled');
      expect(won).toHaveLength(1);
      const state = await server.fetch(`/agent-channel/${id}/state`);
      seq = Number(state.headers.get('etag')?.replaceAll('"', ''));
    }
    const stale = await server.fetch(`/agent-channel/${id}/event`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' },
      body: JSON.stringify({ kind: 'state', payload: {} }),
    });
    expect(stale.status).toBe(409);
  });

  it('keeps finished concepts', async () => {
    await post('state', { concepts: [{ id: 'c', status: 'proposed' }] });
    await expect(post('state', { concepts: [{ id: 'c', status: 'done' }] })).rejects.toMatchObject({
      code: 'concept_conflict',
    });
  });

  it('fences off whoever lost the lease, and lets a silent holder be replaced', async () => {
    const concepts = [{ id: 'c', status: 'proposed' }];
    const lease = await server.client.call('channel.lease', { id, holder: 'bob', ttl_seconds: 3600 });
    await expect(post('state', { concepts })).rejects.toMatchObject({ code: 'lease_held' });
    await post('state', { concepts }, { fencing_token: lease.fencing_token });
    await expect(server.client.call('channel.lease', { id, holder: 'cy' })).rejects.toMatchObject({
      code: 'lease_held',
    });
    clock.advance({ seconds: 301 });
    const taken = await server.client.call('channel.lease', { id, holder: 'cy' });
    expect(taken.fencing_token).toBe(lease.fencing_token + 1);
    await expect(post('state', { concepts }, { fencing_token: lease.fencing_token })).rejects.toMatchObject({
      code: 'lease_lost',
    });
    await server.client.call('channel.release', { id, fencing_token: taken.fencing_token });
    await post('state', { concepts });
  });

  it('wakes who waits, and knows what was delivered and what was read', async () => {
    const { last_seq } = (await server.client.call('channel.read', { id })).channel;
    const waiting = server.client.call('channel.events', { id, after: last_seq, wait: 20, agent: 'dee' });
    await post('comms', { text: 'hello' });
    expect((await waiting).events.map(({ kind }) => kind)).toEqual(['comms']);
    expect((await server.client.call('channel.receipts', { id })).receipts).toMatchObject([
      { agent: 'dee', delivered_seq: last_seq + 1, read_seq: 0 },
    ]);
    await server.client.call('channel.receipt', { id, agent: 'dee', read_seq: last_seq + 1 });
    await expect(
      server.client.call('channel.receipt', { id, agent: 'dee', read_seq: 9999 }),
    ).rejects.toMatchObject({ code: 'receipt_ahead' });
    expect((await server.client.call('channel.receipts', { id })).receipts).toMatchObject([
      { read_seq: last_seq + 1 },
    ]);
  });

  it('leaves a span for every event, in the session of its own id', async () => {
    await expect
      .poll(async () =>
        (await server.client.call('relay.spans', { session_id: id })).items.map(({ name }) => name),
      )
      .toEqual(
        expect.arrayContaining([
          'agent-channel.event.spec',
          'agent-channel.event.status',
          'agent-channel.event.comms',
        ]),
      );
  });

  it('takes nothing once closed, and stays readable', async () => {
    await server.client.call('channel.close', { id });
    await expect(post('log', {})).rejects.toMatchObject({ code: 'channel_closed' });
    expect((await server.client.call('channel.events', { id })).events.length).toBeGreaterThan(5);
    expect((await server.client.call('channel.list', { include_closed: false })).channels).toEqual([]);
  });
});
