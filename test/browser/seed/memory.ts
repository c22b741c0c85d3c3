import type { TestServer } from '../../setup/server.ts';
import { agentClient } from './agent.ts';

/** A profile with memories of each type, one that an agent has read, and one that waits for its person. */
export async function seedMemory(server: TestServer): Promise<void> {
  const { client } = server;
  await client.call('memory.profile.create', { display_name: 'Ada', template: 'propose_only' });
  await client.call('memory.add', {
    content: 'Prefers short answers with the command first',
    category: 'a2p:preferences.communication',
    memory_type: 'semantic',
  });
  await client.call('memory.add', {
    content: 'Reviews pull requests before ten in the morning',
    category: 'a2p:professional',
    memory_type: 'procedural',
  });
  await client.call('memory.add', {
    content: 'Shipped the payments migration on 3 March',
    category: 'a2p:professional',
    memory_type: 'episodic',
  });
  await client.call('memory.add', {
    content: 'Is allergic to penicillin',
    category: 'a2p:health.conditions',
    memory_type: 'semantic',
    sensitivity: 'restricted',
  });
  await client.call('memory.policy.put', {
    name: 'Local agents read preferences',
    agentPattern: 'did:a2p:agent:local:*',
    permissions: ['read_scoped', 'propose'],
    allow: ['a2p:preferences.*', 'a2p:professional'],
    deny: ['a2p:health.*'],
    priority: 10,
  });
  const agent = await agentClient(server, 'coach');
  await agent.call('memory.recall', { query: 'how does she like her answers' });
  await agent.call('memory.propose', {
    content: 'Uses tabs in Go and spaces everywhere else',
    category: 'a2p:preferences.coding',
    memory_type: 'semantic',
    confidence: 0.8,
    context: 'Said so twice while reviewing.',
    evidence: [{ type: 'user_statement', quote: 'Tabs only in Go, please.' }],
  });
}
