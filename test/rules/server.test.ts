/** What rules look at besides the call, on a whole server: facts, who asks, and counters of single customers. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { startTestServer } from '../setup/server.ts';

const server = await startTestServer();
afterAll(() => server.close());

async function send(path: string, body: object, token = server.ownerToken) {
  const reply = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as never };
}

it('decides by facts of people, not of agents, counts each customer, and replays what it knew', async () => {
  const loaded = await send('/v1/atlases', {
    atlas_version: '1.0',
    atlas_id: 'com.example.shop',
    version: '1.0.0',
    name: 'Shop',
    description: 'Refunds',
    actions: [{ action_id: 'order.refund', name: 'Refund', description: 'Pays back', executor: 'echo' }],
    policies: [
      {
        policy_id: 'trusted',
        type: 'allow',
        parameters: { when: { customer: { in_fact: { subject: 'customers', predicate: 'trusted' } } } },
      },
      { policy_id: 'frozen', type: 'deny', parameters: { when: { '@facts/shop/frozen': { exists: true } } } },
      { policy_id: 'people', type: 'deny', parameters: { when: { '@actor_type': 'human' } } },
      {
        policy_id: 'each',
        type: 'rate_limit',
        parameters: { max_calls: 1, window_seconds: 3600, per: 'customer' },
      },
    ],
  });
  expect(loaded.status).toBe(201);
  const key = await send('/v1/keys', { actor_id: 'bot', actor_type: 'agent', role: 'agent' });
  const token = String((key.body as { token?: string }).token);
  const session = await send('/v1/sessions', { agent_id: 'bot', goal: 'Refund' }, token);
  const sessionId = String((session.body as { session_id?: string }).session_id);
  const head = () => ({
    carp_version: '1.0',
    request_id: randomUUID(),
    timestamp: new Date().toISOString(),
    requester: { agent_id: 'bot', session_id: sessionId },
  });
  const resolve = async () =>
    (await send('/v1/resolve', { ...head(), operation: 'resolve', task: { goal: 'Refund' } }, token))
      .body as {
      resolution_id: string;
      allowed_actions: object[];
      denied_actions: { policy_id: string }[];
    };
  const { resolution_id: resolutionId, allowed_actions: allowed } = await resolve();
  expect(allowed).toHaveLength(1);
  const execute = async (customer: string) => {
    const { body } = await send(
      '/v1/execute',
      {
        ...head(),
        operation: 'execute',
        execution: { resolution_id: resolutionId, action_id: 'order.refund', parameters: { customer } },
      },
      token,
    );
    const { status, error } = body as { status: string; error: { details: { policy_id: string } } | null };
    return error ? `${status} ${error.details.policy_id}` : status;
  };
  const assert = (subject: string, predicate: string, value: string, by?: string, more: object = {}) =>
    send('/v1/facts', { subject, predicate, value, ...more }, by);

  expect(await execute('c1')).toBe('denied default-deny');
  const deposit = (id: string, by: 'human' | 'agent') =>
    send('/v1/packages', {
      package_id: id,
      title: 'Seen',
      package_type: 'standard',
      created_by: { id: by === 'human' ? 'owner' : 'bot', type: by },
    });
  expect((await assert('customers', 'trusted', 'c1, c2, c3', token)).status).toBe(201);
  expect(await execute('c1')).toBe('denied default-deny');
  await deposit('seen', 'human');
  const borrowed = { source_package_id: 'seen', 'x-stated-by': { id: 'owner', type: 'human' } };
  const taken = await assert('customers', 'trusted', 'c1, c2, c3, c4', token, borrowed);
  expect(taken.body).toMatchObject({
    asserted_by: { type: 'human' },
    'x-stated-by': { id: 'bot', type: 'agent' },
  });
  expect(await execute('c1')).toBe('denied default-deny');
  const passphrase = 'correct horse battery';
  await server.client.call('identity.passphrase_set', { passphrase });
  const login = await server.client.call('identity.login', { passphrase });
  const service = await send(
    '/v1/keys',
    { actor_id: 'front', actor_type: 'script', role: 'agent', speaks_for: ['ann'] },
    login.token,
  );
  const front = String((service.body as { token?: string }).token);
  const spoken = { asserted_by: { id: 'ann', type: 'human' } };
  expect((await assert('customers', 'trusted', 'c1, c5', front, spoken)).body).toMatchObject({
    asserted_by: { id: 'ann' },
    'x-spoken-by': { id: 'front', type: 'script' },
  });
  expect(await execute('c1')).toBe('denied default-deny');
  expect((await assert('customers', 'trusted', 'c1, c2', undefined, borrowed)).body).toMatchObject({
    'x-stated-by': { type: 'human' },
  });
  expect(await execute('c1')).toBe('success');
  await assert('customers', 'trusted', 'c1, c2');
  expect(await execute('c1')).toBe('denied each');
  expect(await execute('c2')).toBe('success');
  expect(await execute('c3')).toBe('denied default-deny');
  await assert('shop', 'frozen', 'yes');
  expect((await resolve()).denied_actions).toMatchObject([{ policy_id: 'frozen' }]);
  const FROZEN = 'denied frozen';
  await assert('shop', 'frozen', 'no', token);
  expect(await execute('c9')).toBe(FROZEN);
  const retract = (by: string) =>
    fetch(`${server.url}/v1/facts?subject=shop&predicate=frozen`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${by}` },
    });
  await retract(token);
  expect(await execute('c9')).toBe(FROZEN);
  await assert('shop', 'frozen', 'over');
  await retract(server.ownerToken);
  expect(await execute('c9')).toBe('denied default-deny');
  await assert('shop', 'frozen', 'no longer what it was');
  const replay = await send(`/v1/traces/${sessionId}/replay`, {}, token);
  expect(replay.body).toMatchObject({ deterministic: true });
});
