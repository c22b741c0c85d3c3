import type { World } from './world.ts';

const MEMORIES = [
  ['Prefers short answers with the command first', 'a2p:preferences.communication', 'semantic'],
  ['Reviews pull requests before ten in the morning', 'a2p:professional', 'procedural'],
  ['Shipped the payments migration in March', 'a2p:professional', 'episodic'],
  ['Writes TypeScript with two spaces', 'a2p:preferences.coding', 'semantic'],
] as const;

const PROPOSALS = [
  ['Wants a test for every mended bug', 'a2p:preferences.coding', 'Every bug gets a test first, please.'],
  ['Is on call every second week', 'a2p:professional', 'I am on call again, every other week.'],
  [
    'Prefers diagrams over long texts',
    'a2p:preferences.communication',
    'Draw it, I never read the long ones.',
  ],
] as const;

/** What is known of the person who looks, with what agents may read of it and what they propose to add. */
export async function fillMemory(world: World): Promise<void> {
  const { owner } = world;
  // Memories are a person's own: nobody's are mixed with those of a demo.
  if (!world.own) return;
  await owner.ask('memory.profile.create', { display_name: 'You', template: 'propose_only' });
  for (const [content, category, memory_type] of MEMORIES) {
    await owner.ask('memory.add', { content, category, memory_type });
  }
  await owner.ask('memory.policy.put', {
    name: 'Local agents read preferences',
    agentPattern: 'did:a2p:agent:local:*',
    permissions: ['read_scoped', 'propose'],
    allow: ['a2p:preferences.*', 'a2p:professional'],
    deny: ['a2p:health.*'],
    priority: 10,
  });
  const agent = await world.agent('coral-heron', 'default');
  await agent.ask('memory.recall', { query: 'how does my person like answers and code' });
  for (const [content, category, quote] of PROPOSALS) {
    await agent.ask('memory.propose', {
      content,
      category,
      memory_type: 'semantic',
      confidence: 0.8,
      evidence: [{ type: 'user_statement', quote }],
    });
  }
}
