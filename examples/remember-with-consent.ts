/** A memory from proposal to erasure: the agent proposes, the person approves, shares, sees who read it, and erases. */
import assert from 'node:assert/strict';
import { createClient } from '@baton-ledger/client';

const { BATON_URL: url = 'http://127.0.0.1:7373', BATON_TOKEN: token = '' } = process.env;
const person = createClient({ url, token });

await person.call('memory.profile.create', { display_name: 'Ana' });
const { token: agentToken = '' } = await person.call('keys.create', {
  actor_id: 'tea-helper',
  actor_type: 'agent',
});
const agent = createClient({ url, token: agentToken });

const proposal = await agent.call('memory.propose', {
  content: 'Prefers green tea',
  category: 'a2p:preferences.drinks',
  memory_type: 'semantic',
});
const { memory_id } = await person.call('memory.proposals.review', {
  id: proposal.proposal_id,
  action: 'approve',
});
assert.ok(memory_id);

// Having proposed a memory gives the agent no right to read it.
await assert.rejects(agent.call('memory.recall', { query: 'tea' }), { code: 'A2P004' });
await person.call('memory.policy.put', {
  agentPattern: 'did:a2p:agent:local:tea-helper',
  permissions: ['read_scoped', 'propose'],
  allow: ['a2p:preferences.*'],
  priority: 1,
});
const recalled = await agent.call('memory.recall', { query: 'tea' });
assert.match(JSON.stringify(recalled), /green tea/);

assert.match(JSON.stringify(await person.call('memory.seen', { id: memory_id })), /tea-helper/);
await person.call('memory.erase', { memory: memory_id });
assert.doesNotMatch(JSON.stringify(await agent.call('memory.recall', { query: 'tea' })), /green tea/);
console.log('Proposed, approved, read with consent, accounted for, and erased.');
