/** Loads an Atlas, lets an agent ask for a refund, has a person approve it, and checks the trace. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createClient } from '@baton-ledger/client';

const { BATON_URL: url = 'http://127.0.0.1:7373', BATON_TOKEN: token = '' } = process.env;
const owner = createClient({ url, token });

const manifest = {
  atlas_version: '1.0' as const,
  atlas_id: 'com.example.refunds',
  version: '1.0.0',
  name: 'Refunds',
  description: 'What the support agent may do',
  actions: [
    { action_id: 'order.refund', name: 'Refund', description: 'Pays an order back', executor: 'echo' },
  ],
  policies: [{ policy_id: 'ask-first', type: 'require_approval' as const, actions: ['order.refund'] }],
};
await owner.call('atlas.load', { manifest });

const { token: agentToken = '' } = await owner.call('keys.create', {
  actor_id: 'support-bot',
  actor_type: 'agent',
});
const agent = createClient({ url, token: agentToken });
const session = await agent.call('carp.session.start', {
  agent_id: 'support-bot',
  goal: 'Settle a complaint',
});
const requester = { agent_id: 'support-bot', session_id: session.session_id };
const envelope = () => ({
  carp_version: '1.0' as const,
  request_id: randomUUID(),
  timestamp: new Date().toISOString(),
  requester,
});

const resolution = await agent.call('carp.resolve', {
  request: { ...envelope(), operation: 'resolve', task: { goal: 'Settle a complaint' } },
});
const execution = {
  resolution_id: resolution.resolution_id,
  action_id: 'order.refund',
  parameters: { order: 'A-1', amount: 40 },
};
const refund = () =>
  agent.call('carp.execute', { request: { ...envelope(), operation: 'execute', execution } });

assert.equal((await refund()).status, 'pending_approval');

// The agent cannot approve what it asked for; a person does, for exactly the content that the digest covers.
const { items } = await owner.call('inbox.list', { kind: 'carp_approval', requested_by: 'support-bot' });
const item = items[0];
assert.ok(item);
await assert.rejects(agent.call('inbox.decide', { id: item.id, decision: 'approve', digest: item.digest }));
await owner.call('inbox.decide', { id: item.id, decision: 'approve', digest: item.digest });

assert.equal((await refund()).status, 'success');
const check = await owner.call('trace.verify', { session_id: session.session_id });
assert.equal(check.valid, true);
console.log('The refund waited for a person, ran once approved, and its trace verifies.');
