import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { worldsOn } from './world.ts';

const interest = (name: string, content: string) => ({
  content,
  category: `a2p:interests.${name}`,
  memory_type: 'semantic',
});

describeOnEachEngine('what an agent is given', (open) => {
  const world = worldsOn(open);

  it('is no merge that repeats a memory which is closed to it', async () => {
    const { call, approve, allow } = await world();
    const jazz = await approve(interest('music', 'User likes jazz'));
    const soup = await approve(interest('food', 'User likes soup'));
    await allow({ priority: 1, allow: ['a2p:interests.*'], deny: ['a2p:interests.music'] });
    await call('ana', 'memory.merge', { memory_ids: [jazz, soup] });
    const read = async () => (await call('helper', 'memory.recall', { query: 'likes' })).memories;
    expect(await read()).toEqual([]);
    await call('ana', 'memory.policy.put', {
      id: 'policy_all',
      priority: 0,
      agentPattern: '*',
      permissions: ['read_scoped'],
      allow: ['a2p:interests.*'],
    });
    for (const { id, deny = [] } of (await call('ana', 'memory.policies')).policies)
      if (deny.length > 0) await call('ana', 'memory.policy.delete', { id });
    expect(await read()).toMatchObject([{ memory: { consolidatedFrom: [jazz, soup] } }]);
  });

  it('is what stands now, and not what its person has corrected', async () => {
    const { call, approve, allow } = await world();
    const id = await approve(interest('food', 'User likes soup'));
    await call('ana', 'memory.edit', { id, content: 'User likes stew' });
    await allow({ priority: 1, allow: ['a2p:interests.*'] });
    const [{ memory }] = (await call('helper', 'memory.recall', { query: 'stew' })).memories;
    expect(memory.content).toBe('User likes stew');
    expect(JSON.stringify(memory)).not.toContain('soup');
    expect((await call('ana', 'memory.get', { id })).memory.metadata.editHistory).toHaveLength(1);
  });

  it('is its own words of a proposal, and not what the person made of them', async () => {
    const { call, approve } = await world();
    await approve(interest('food', 'User likes soup'), { content: 'User likes stew' });
    const listed = async (who: 'helper' | 'ana') =>
      JSON.stringify((await call(who, 'memory.proposals.list', {})).proposals);
    expect(await listed('helper')).toContain('soup');
    expect(await listed('helper')).not.toContain('stew');
    expect(await listed('ana')).toContain('stew');
  });

  it('leaves with the memory that it was about', async () => {
    const { call, approve } = await world();
    const id = await approve({ ...interest('food', 'User likes soup'), memory_type: 'episodic' });
    await call('helper', 'memory.propose', {
      kind: 'reclassification',
      targetMemoryId: id,
      memory_type: 'semantic',
      context: 'Because of the borscht',
    });
    expect(await call('ana', 'memory.erase', { memory: id })).toMatchObject({ memories: 1, proposals: 2 });
    expect(JSON.stringify(await call('ana', 'memory.proposals.list'))).not.toContain('borscht');
  });
});
