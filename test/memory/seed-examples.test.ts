import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { type SeedExample, seedExamples, seedProposal } from './seed-examples.ts';
import { AGENT, worldsOn } from './world.ts';

type Members = Record<string, unknown>;
const memoriesOf = ({ profile }: SeedExample) =>
  Object.entries((profile.memories ?? {}) as Members).flatMap(([key, held]) =>
    Array.isArray(held) ? held.map((memory: Members) => ({ type: key.slice(4), memory })) : [],
  );
const proposalsOf = ({ profile }: SeedExample) => (profile.pendingProposals ?? []) as Members[];

describeOnEachEngine('the examples of a2p memory 0.1.0', (open) => {
  const world = worldsOn(open, { bare: true });

  it('come out of an import as they went in, member for member', async () => {
    const { call } = await world();
    for (const { of, profile } of seedExamples) {
      await call('ana', 'memory.profile.import', { document: profile });
      const exported = await call('ana', 'memory.profile.export', { profile: profile.id });
      expect([of, exported]).toEqual([of, profile]);
    }
  });

  it('go round twice: what was exported imports elsewhere as the same', async () => {
    const here = await world();
    const there = await world();
    for (const { of, profile } of seedExamples) {
      await here.call('ana', 'memory.profile.import', { document: profile });
      const once = await here.call('ana', 'memory.profile.export', { profile: profile.id });
      await there.call('ana', 'memory.profile.import', { document: once });
      const twice = await there.call('ana', 'memory.profile.export', { profile: profile.id });
      expect([of, twice]).toEqual([of, once]);
    }
  });

  it('are read as what they are: type, status and counts', async () => {
    const { call } = await world();
    for (const example of seedExamples) {
      const { profile } = example;
      expect(await call('ana', 'memory.profile.import', { document: profile })).toMatchObject({
        memories: memoriesOf(example).length,
        proposals: proposalsOf(example).length,
      });
      for (const { type, memory } of memoriesOf(example)) {
        const found = await call('ana', 'memory.get', { profile: profile.id, id: memory.id });
        expect([example.of, found]).toEqual([example.of, expect.objectContaining({ type, memory })]);
      }
      const { proposals } = await call('ana', 'memory.proposals.list', { profile: profile.id });
      const late = (status: unknown, expiresAt: unknown) =>
        status === 'pending' && expiresAt === seedProposal.expiresAt ? 'expired' : status;
      expect([example.of, proposals.map(({ status }: Members) => status)]).toEqual([
        example.of,
        proposalsOf(example).map(({ status, expiresAt }) => late(status, expiresAt)),
      ]);
    }
  });

  it('can be proposed afresh: the flat proposal, but for an end that lies before its beginning', async () => {
    const { call, refusal } = await world();
    await call('ana', 'memory.profile.create', { did: 'did:a2p:user:local:ana' });
    // By the agent that it is from; of another it would be refused.
    const { id: _, status: __, ...given } = seedProposal;
    const proposal = { ...given, agentDid: AGENT };
    const did = 'did:a2p:user:local:ana';
    expect(await refusal('helper', 'a2p.propose', { did, proposal })).toBe('A2P006');
    const { expiresAt: ___, ...open } = proposal;
    const { proposalId } = await call('helper', 'a2p.propose', { did, proposal: open });
    expect(await call('ana', 'memory.proposals.get', { id: proposalId })).toMatchObject({
      content: seedProposal.content,
      memory_type: 'procedural',
      confidence: 0.85,
      context: seedProposal.context,
      status: 'pending',
    });
  });
});
