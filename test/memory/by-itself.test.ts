/** What happens without a person, where the person has set that it may. */
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { AGENT, OWNER, type World, worldsOn } from './world.ts';

const tea = {
  content: 'User likes green tea',
  category: 'a2p:interests',
  memory_type: 'semantic',
  confidence: 0.95,
};
const inboxOf = async ({ call }: World) =>
  (await call('ana', 'inbox.list', { kind: 'memory_proposal' })).items as {
    id: string;
    digest: string;
    title: string;
  }[];
const eventTypes = async ({ app }: World) =>
  (await app.feed.page({ types: ['memory.*'], limit: 200, after: 0 })).events.map(
    ({ event }) => event.event_type,
  );

describeOnEachEngine('approval by itself', (open) => {
  const world = worldsOn(open);
  const trusting = async (autoApproval: object) => {
    const made = await world();
    await made.call('ana', 'memory.profile.settings', { autoApproval: { enabled: true, ...autoApproval } });
    return made;
  };

  it('keeps at once what a trusted agent is sure of, and says so on the record', async () => {
    const made = await trusting({ trustedAgents: [AGENT] });
    const { status, memory_id: id } = await made.call('helper', 'memory.propose', tea);
    expect([status, await inboxOf(made)]).toEqual(['approved', []]);
    expect((await made.call('ana', 'memory.get', { id })).memory.content).toBe(tea.content);
    const { events } = await made.app.feed.page({ types: ['memory.proposal_approved'], limit: 9, after: 0 });
    expect(events[0]?.event.payload).toMatchObject({ automatic: true });
  });

  it.each([
    ['an agent that is not trusted', 'rival', {}],
    ['too little confidence', 'helper', { confidence: 0.89 }],
    ['health', 'helper', { category: 'a2p:health' }],
    ['what the agent calls sensitive', 'helper', { sensitivity: 'sensitive' }],
    ['a denied category', 'helper', { category: 'a2p:context' }],
    ['a category that is not allowed', 'helper', { category: 'a2p:professional' }],
  ] as const)('asks for %s', async (_, who, change) => {
    const made = await trusting({
      trustedAgents: [AGENT],
      allowedCategories: ['a2p:interests', 'a2p:context', 'a2p:health'],
      deniedCategories: ['a2p:context'],
    });
    expect(await made.call(who, 'memory.propose', { ...tea, ...change })).toMatchObject({
      status: 'pending',
    });
    expect(await inboxOf(made)).toHaveLength(1);
  });

  it('stops for the day at the number that is set', async () => {
    const { call, clock } = await trusting({ trustedAgents: [AGENT], maxProposalsPerDay: 2 });
    const propose = async (at: number) =>
      (await call('helper', 'memory.propose', { ...tea, content: `User likes tea number ${at}` })).status;
    expect([await propose(1), await propose(2), await propose(3)]).toEqual([
      'approved',
      'approved',
      'pending',
    ]);
    clock.advance({ seconds: 86_400 });
    expect(await propose(4)).toBe('approved');
  });

  it('is off unless set', async () => {
    const { call } = await world();
    expect(await call('helper', 'memory.propose', tea)).toMatchObject({ status: 'pending' });
  });
});

describeOnEachEngine('merging by itself', (open) => {
  const world = worldsOn(open);
  const twice = async ({ approve, call }: World) => {
    const first = await approve(tea);
    const second = await approve({ ...tea, content: 'user likes GREEN tea!' });
    const { memories } = await call('ana', 'memory.list');
    return { first, second, memories };
  };

  it('makes one of exact duplicates where set, and can be undone', async () => {
    const made = await world();
    await made.call('ana', 'memory.profile.settings', { mergeExactDuplicates: true });
    const { first, second, memories } = await twice(made);
    expect(memories).toMatchObject([{ memory: { consolidatedFrom: [first, second] } }]);
    const { merges } = await made.call('ana', 'memory.merges');
    await made.call('ana', 'memory.unmerge', { id: merges[0].merge_id });
    const { memories: after } = await made.call('ana', 'memory.list');
    expect(after.map(({ memory }: { memory: { id: string } }) => memory.id)).toEqual([first, second]);
  });

  it('only shows them beside each other unless set', async () => {
    const made = await world();
    const { first, second, memories } = await twice(made);
    expect(memories).toHaveLength(2);
    expect((await made.call('ana', 'memory.similar', { id: first })).candidates).toMatchObject([
      { memory: { id: second }, exact: true },
    ]);
  });

  it('leaves alone what is alike in words and not in who may see it', async () => {
    const made = await world();
    await made.call('ana', 'memory.profile.settings', { mergeExactDuplicates: true });
    await made.approve(tea);
    await made.approve(tea, { scope: ['work'] });
    expect((await made.call('ana', 'memory.list')).memories).toHaveLength(2);
  });
});

describeOnEachEngine('promotion by itself', (open) => {
  const world = worldsOn(open, { bare: true });
  const episode = (id: string, day: string, more: object = {}) => ({
    id,
    content: `User asked about Rust lifetimes on ${day}`,
    category: 'a2p:interests.technology',
    confidence: 0.95,
    source: { type: 'agent_proposal', agentDid: AGENT, timestamp: `${day}T10:00:00Z` },
    metadata: { useCount: 11, approvedAt: `${day}T11:00:00Z` },
    ...more,
  });
  const known = async (mode: string | undefined, more: object = {}) => {
    const made = await world();
    const lesser = { confidence: 0.8 };
    await made.call('ana', 'memory.profile.import', {
      document: {
        id: OWNER,
        memories: {
          'a2p:episodic': [
            episode('mem_1', '2026-02-01', more),
            episode('mem_2', '2026-02-02', lesser),
            episode('mem_3', '2026-02-03', lesser),
          ],
        },
      },
    });
    if (mode !== undefined) await made.call('ana', 'memory.profile.settings', { promotion: { mode } });
    return made;
  };
  const anHourLater = async ({ app, clock }: World) => {
    clock.advance({ seconds: 3601 });
    await app.drain();
  };
  const typeOf = async ({ call }: World) => (await call('ana', 'memory.get', { id: 'mem_1' })).type;

  it('asks in the inbox by default, once, and moves the memory when its person agrees', async () => {
    const made = await known(undefined);
    await anHourLater(made);
    await anHourLater(made);
    const items = await inboxOf(made);
    expect(items).toMatchObject([{ title: expect.stringContaining('to make a memory semantic') }]);
    expect(await typeOf(made)).toBe('episodic');
    const { id, digest } = items[0]!;
    await made.call('ana', 'inbox.decide', { id, digest, decision: 'approve' });
    expect(await typeOf(made)).toBe('semantic');
  });

  it('does not ask again after a no', async () => {
    const made = await known('suggest');
    await anHourLater(made);
    const { id, digest } = (await inboxOf(made))[0]!;
    await made.call('ana', 'inbox.decide', { id, digest, decision: 'reject' });
    await anHourLater(made);
    expect([await inboxOf(made), await typeOf(made)]).toEqual([[], 'episodic']);
  });

  it('moves by itself where set, on record, and not again once its person has moved it back', async () => {
    const made = await known('auto');
    await anHourLater(made);
    const { type, memory } = await made.call('ana', 'memory.get', { id: 'mem_1' });
    expect([type, memory.metadata.reclassifications]).toEqual([
      'semantic',
      [{ from: 'episodic', to: 'semantic', at: expect.any(String), by: 'promotion' }],
    ]);
    expect(await eventTypes(made)).toContain('memory.reclassified');
    await made.call('ana', 'memory.reclassify', { id: 'mem_1', memory_type: 'episodic' });
    await anHourLater(made);
    expect([await typeOf(made), await inboxOf(made)]).toEqual(['episodic', []]);
  });

  it('asks even then for what is sensitive, and does nothing where it is off', async () => {
    const sensitive = await known('auto', { sensitivity: 'sensitive' });
    await anHourLater(sensitive);
    expect([await typeOf(sensitive), (await inboxOf(sensitive)).length]).toEqual(['episodic', 1]);
    const off = await known('off');
    await anHourLater(off);
    expect([await typeOf(off), await inboxOf(off)]).toEqual(['episodic', []]);
  });
});

describeOnEachEngine('proposals that were pending elsewhere', (open) => {
  const world = worldsOn(open, { bare: true });

  it('wait in the inbox after an import, and are decided like any other', async () => {
    const made = await world();
    const proposal = (content: string, more: object = {}) => ({
      id: 'prop_1',
      agentDid: AGENT,
      content,
      category: 'a2p:interests',
      status: 'pending',
      proposedAt: '2026-03-04T10:00:00Z',
      expiresAt: '2026-03-11T10:00:00Z',
      ...more,
    });
    await made.call('ana', 'memory.profile.import', {
      document: {
        id: OWNER,
        pendingProposals: [
          proposal('User likes tea'),
          proposal('User likes rum', { status: 'rejected' }),
          proposal('User likes gin', { expiresAt: '2026-03-04T11:00:00Z' }),
        ],
      },
    });
    const items = await inboxOf(made);
    expect(items).toHaveLength(1);
    const { id, digest } = items[0]!;
    await made.call('ana', 'inbox.decide', { id, digest, decision: 'approve' });
    expect((await made.call('ana', 'memory.list')).memories).toMatchObject([
      { memory: { content: 'User likes tea', source: { agentDid: AGENT } } },
    ]);
  });
});
