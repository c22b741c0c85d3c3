import { expect, it } from 'vitest';
import { partsFromFlat } from '../../src/spine/dispatch/parse.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { AGENT, OWNER, people, worldsOn } from './world.ts';

describeOnEachEngine('the life of a memory', (open) => {
  const world = worldsOn(open);

  it('begins as a proposal in the inbox, and is kept only when its person says so', async () => {
    const { call } = await world();
    const made = await call('helper', 'memory.propose', {
      content: 'User prefers dark mode for coding',
      category: 'a2p:preferences.ui',
      memory_type: 'semantic',
      confidence: 0.9,
    });
    expect(made).toMatchObject({ status: 'pending', memory_id: null });
    const { items } = await call('ana', 'inbox.list', { kind: 'memory_proposal' });
    expect(items).toMatchObject([{ subject: { id: made.proposal_id }, edits_allowed: true }]);
    expect(JSON.stringify(items)).not.toContain('dark mode');
    expect((await call('ana', 'memory.list')).memories).toEqual([]);
    await call('ana', 'inbox.decide', { id: items[0].id, decision: 'approve', digest: items[0].digest });
    const { memories } = await call('ana', 'memory.list');
    expect(memories).toMatchObject([
      {
        type: 'semantic',
        memory: {
          content: 'User prefers dark mode for coding',
          source: { type: 'agent_proposal', agentDid: AGENT },
          metadata: { useCount: 0, initialConfidence: 0.9 },
        },
      },
    ]);
  });

  it('is approved with edits from the inbox, or rejected and not proposed again', async () => {
    const { call, refusal } = await world();
    const decide = async (decision: string, edits?: object) => {
      const { items } = await call('ana', 'inbox.list', { kind: 'memory_proposal' });
      await call('ana', 'inbox.decide', {
        id: items[0].id,
        decision,
        digest: items[0].digest,
        ...(edits && { edits }),
      });
    };
    await call('helper', 'memory.propose', { content: 'User likes tea', category: 'a2p:interests' });
    await decide('approve_with_edits', { content: 'User likes green tea', memory_type: 'semantic' });
    expect((await call('ana', 'memory.list')).memories).toMatchObject([
      { type: 'semantic', memory: { content: 'User likes green tea' } },
    ]);
    expect((await call('ana', 'memory.proposals.list', { status: 'approved' })).proposals).toMatchObject([
      { status: 'edited' },
    ]);
    await call('helper', 'memory.propose', { content: 'User is bald', category: 'a2p:identity' });
    await decide('reject');
    expect(
      await refusal('helper', 'memory.propose', { content: 'user is BALD!', category: 'a2p:identity' }),
    ).toBe('proposal_declined_before');
  });

  it('keeps what was declined away in other endings and articles too, until its person proposes it', async () => {
    const { call, refusal } = await world();
    const proposed = (content: string) => ({ content, category: 'a2p:interests' });
    const decline = async () => {
      const { items } = await call('ana', 'inbox.list', { kind: 'memory_proposal' });
      await call('ana', 'inbox.decide', { id: items[0].id, decision: 'reject', digest: items[0].digest });
    };
    await call('helper', 'memory.propose', proposed('User likes chess'));
    await decline();
    for (const again of ['The user likes chess!', 'likes chess, ', 'User liked chess']) {
      expect(await refusal('helper', 'memory.propose', proposed(again)), again).toBe(
        'proposal_declined_before',
      );
    }
    await call('helper', 'memory.propose', proposed('User does not like chess'));
    await decline();
    const { proposal_id } = await call('ana', 'memory.propose', proposed('Likes chess'));
    await call('ana', 'memory.proposals.withdraw', { id: proposal_id });
    await call('helper', 'memory.propose', proposed('The user likes chess!'));
  });

  it('tells its person in the inbox about whom it is, who proposes it and on which grounds, and nobody else', async () => {
    const { call } = await world();
    await call('ana', 'memory.profile.create', {
      did: 'did:a2p:user:acme:ana',
      display_name: 'Ana at work',
    });
    const profile = 'did:a2p:user:acme:ana';
    await call('ana', 'memory.agent.put', { did: AGENT, name: 'The helper' });
    const evidence = [{ type: 'user_statement', quote: 'Tabs, please.' }];
    const proposed = {
      profile,
      content: 'Uses tabs',
      category: 'a2p:preferences',
      context: 'Asked',
      evidence,
    };
    await call('helper', 'memory.propose', proposed);
    const [item] = (await call('ana', 'inbox.list', { kind: 'memory_proposal' })).items;
    expect(item.title).toMatch(/^did:a2p:agent:local:helper proposes to remember something \(prop_\w+\)$/);
    expect((await call('ana', 'inbox.get', { id: item.id })).details).toEqual({
      about: { did: profile, display_name: 'Ana at work' },
      proposed_by: { did: AGENT, name: 'The helper' },
      kind: 'memory',
      content: 'Uses tabs',
      memory_type: 'episodic',
      memory_type_given: false,
      category: 'a2p:preferences',
      sensitivity: { of_category: 'standard', effective: 'standard' },
      scope: [],
      tags: [],
      priority: 'normal',
      confidence: 0.7,
      context: 'Asked',
      evidence,
      proposed_at: expect.stringMatching(/^2026-03-04T/),
      expires_at: expect.stringMatching(/^2026-03-11T/),
    });
    expect(await call('ben', 'inbox.get', { id: item.id })).not.toHaveProperty('details');
    await call('ana', 'memory.erase', { profile, everything: true });
    const erased = await call('ana', 'inbox.get', { id: item.id });
    expect(erased).toMatchObject({
      state: 'superseded',
      title: expect.stringMatching(/^A proposal that was erased/),
    });
    expect(erased).not.toHaveProperty('details');
  });

  it('expires by time and not by a sweep', async () => {
    const { call, refusal, clock } = await world();
    const { proposal_id: id } = await call('helper', 'memory.propose', { content: 'User plays chess' });
    clock.advance({ seconds: 7 * 86_400 });
    expect((await call('ana', 'memory.proposals.get', { id })).status).toBe('expired');
    expect(await refusal('ana', 'memory.proposals.review', { id, action: 'approve' })).toBe(
      'proposal_expired',
    );
    expect(await call('helper', 'memory.propose', { content: 'User plays chess' })).toMatchObject({
      status: 'pending',
    });
  });

  it('reaches only agents that the policies let, and every reading is on record', async () => {
    const { call, refusal, approve, allow } = await world();
    const tea = await approve({
      content: 'User likes green tea',
      category: 'a2p:interests.drinks',
      memory_type: 'semantic',
    });
    await approve({
      content: 'User is allergic to nuts and drinks tea',
      category: 'a2p:health',
      memory_type: 'semantic',
    });
    expect(await refusal('helper', 'memory.recall', { query: 'tea' })).toBe('A2P004');
    await allow({ priority: 1, allow: ['a2p:interests.*', 'a2p:semantic'] });
    const { memories } = await call('helper', 'memory.recall', { query: 'tea' });
    expect(memories.map((each: { memory: { id: string } }) => each.memory.id)).toEqual([tea]);
    expect(await call('ana', 'memory.seen', { id: tea })).toMatchObject({ accesses: [{ agent_did: AGENT }] });
    const { receipts } = await call('ana', 'memory.access', { agent: AGENT });
    expect(receipts[0]).toMatchObject({ userDid: OWNER, permissions: ['read_scoped', 'propose'] });
    expect(receipts[0].accessLog.map((entry: { action: string }) => entry.action)).toContain('read');
    expect(await refusal('helper', 'memory.recall', { query: 'tea', as_of: '2026-03-04T13:00:00Z' })).toBe(
      'A2P002',
    );
    await call('ana', 'memory.access.revoke', { agent: AGENT });
    expect(await refusal('helper', 'memory.recall', { query: 'tea' })).toBe('A2P004');
    expect(await refusal('helper', 'memory.propose', { content: 'again' })).toBe('A2P004');
    await call('ana', 'memory.access.restore', { agent: AGENT });
    expect(await refusal('helper', 'memory.recall', { query: 'tea' })).toBe('ok');
  });

  it('counts a use once per session, capped by the day, and never for the owner', async () => {
    const { call, approve, allow, clock } = await world();
    const id = await approve({
      content: 'User likes green tea',
      category: 'a2p:interests',
      memory_type: 'semantic',
    });
    await allow({ priority: 1, allow: ['a2p:interests'] });
    const uses = async () => (await call('ana', 'memory.get', { id })).memory.metadata.useCount;
    await call('ana', 'memory.recall', { query: 'tea' });
    expect(await uses()).toBe(0);
    for (const session of ['s1', 's1', 's2', 's3', 's4', 's5'])
      await call('helper', 'memory.recall', { query: 'tea', session_id: session });
    expect(await uses()).toBe(3);
    clock.advance({ seconds: 86_400 });
    await call('helper', 'memory.recall', { query: 'tea', session_id: 's9' });
    expect(await uses()).toBe(4);
  });

  it('merges with what says the same, and comes apart again as it was', async () => {
    const { call, approve } = await world();
    const one = await approve({
      content: 'Likes jazz music',
      category: 'a2p:interests.music',
      memory_type: 'semantic',
    });
    const two = await approve({
      content: 'Enjoys electronic music',
      category: 'a2p:interests.music',
      memory_type: 'semantic',
    });
    const before = await call('ana', 'memory.profile.export');
    const { candidates, draft } = await call('ana', 'memory.similar', { id: one });
    expect(candidates).toMatchObject([{ memory: { id: two }, exact: false }]);
    expect(draft).toBe('Music preferences: jazz, electronic');
    const merge = await call('ana', 'memory.merge', { memory_ids: [one, two] });
    expect((await call('ana', 'memory.list')).memories).toMatchObject([
      { memory: { content: draft, consolidatedFrom: [one, two] } },
    ]);
    await call('ana', 'memory.unmerge', { id: merge.merge_id });
    expect(await call('ana', 'memory.profile.export')).toEqual(before);
  });

  it('keeps what it said before, and can be read as it stood', async () => {
    const { call, approve, clock } = await world();
    const id = await approve({
      content: 'User lives in Oslo',
      category: 'a2p:identity',
      memory_type: 'semantic',
    });
    const then = '2026-03-04T13:00:00Z';
    clock.advance({ seconds: 7200 });
    await call('ana', 'memory.edit', { id, content: 'User lives in Bergen' });
    const contents = async (flat: object) =>
      (await call('ana', 'memory.list', { ...flat })).memories.map(
        (each: { memory: { content: string } }) => each.memory.content,
      );
    expect(await contents({})).toEqual(['User lives in Bergen']);
    expect(await contents({ as_of: then })).toEqual(['User lives in Oslo']);
    expect(await contents({ as_of: '2026-03-01T00:00:00Z' })).toEqual([]);
    const next = await approve({
      content: 'User lives in Rome',
      category: 'a2p:identity',
      memory_type: 'semantic',
      supersedes: id,
    });
    expect((await call('ana', 'memory.get', { id })).memory).toMatchObject({
      status: 'archived',
      metadata: { supersededBy: next },
    });
    expect(await contents({})).toEqual(['User lives in Rome']);
    expect(await contents({ as_of: then })).toEqual(['User lives in Oslo']);
  });

  it('lets no other project change the key of a registered agent', async () => {
    const { call, app } = await world();
    await call('ana', 'memory.agent.put', { did: AGENT, name: 'Helper' });
    const bound = app.registry.get('memory.agent.put')!;
    const other = { ...people.ana, projects: ['other'], defaultProject: 'other' };
    const attempt = app.dispatcher.call(bound, {
      principal: other,
      parts: partsFromFlat(bound.operation, { did: AGENT, name: 'Mine' }),
      requestId: 'r',
      signal: new AbortController().signal,
    });
    await expect(attempt).rejects.toMatchObject({ code: 'A2P002' });
    expect((await call('ana', 'memory.agents')).agents).toMatchObject([{ did: AGENT, name: 'Helper' }]);
  });

  it('fades unless it is pinned or confirmed', async () => {
    const { call, approve, clock } = await world();
    const id = await approve({
      content: 'User uses vim',
      category: 'a2p:preferences',
      memory_type: 'semantic',
      confidence: 0.9,
    });
    clock.advance({ seconds: 205 * 86_400 });
    const now = async () => (await call('ana', 'memory.list')).memories[0];
    expect(await now()).toMatchObject({ confidence: 0.45, suggests: 'review' });
    await call('ana', 'memory.confirm', { id });
    expect((await now()).confidence).toBe(0.9);
    clock.advance({ seconds: 205 * 86_400 });
    await call('ana', 'memory.pin', { id });
    expect(await now()).toMatchObject({ confidence: 0.9, pinned: true });
  });

  it('is reclassified by its person, by an agent’s proposal, and suggested for promotion', async () => {
    const { call, refusal, approve } = await world();
    const id = await approve({ content: 'User asked about Rust', category: 'a2p:interests' });
    const { proposal_id: wish } = await call('helper', 'memory.propose', {
      kind: 'reclassification',
      targetMemoryId: id,
      memory_type: 'semantic',
    });
    await call('ana', 'memory.proposals.review', { id: wish, action: 'approve' });
    expect((await call('ana', 'memory.get', { id })).type).toBe('semantic');
    await call('ana', 'memory.reclassify', { id, memory_type: 'procedural' });
    expect((await call('ana', 'memory.get', { id })).memory.metadata.reclassifications).toMatchObject([
      { by: 'proposal' },
      { by: 'user', to: 'procedural' },
    ]);
    expect(await refusal('ana', 'memory.reclassify', { id, memory_type: 'procedural' })).toBe('A2P025');
    expect((await call('ana', 'memory.promotions')).suggestions).toEqual([]);
  });

  it('lets only the owner review, agents see and withdraw only their own, and floods no one', async () => {
    const { call, refusal } = await world();
    const { proposal_id: id } = await call('helper', 'memory.propose', { content: 'User has a cat' });
    expect(await refusal('helper', 'a2p.proposals.review', { did: OWNER, id, action: 'approve' })).toBe(
      'A2P002',
    );
    expect(await refusal('ben', 'memory.proposals.review', { id, action: 'approve' })).toBe('A2P002');
    expect((await call('rival', 'memory.proposals.list')).proposals).toEqual([]);
    expect(await refusal('rival', 'memory.proposals.withdraw', { id })).toBe('A2P003');
    expect(await call('helper', 'memory.proposals.withdraw', { id })).toMatchObject({ status: 'withdrawn' });
    expect((await call('ana', 'inbox.list', { kind: 'memory_proposal' })).items).toEqual([]);
    for (let at = 0; at < 19; at += 1)
      await call('helper', 'memory.propose', { content: `User knows fact number ${at}` });
    expect(await refusal('helper', 'memory.propose', { content: 'One too many' })).toBe('A2P005');
  });

  it('answers the same for a DID that nobody has and one that shares nothing', async () => {
    const { call, app } = await world();
    await call('ana', 'memory.policies').then(async ({ policies }) => {
      for (const { id } of policies) await call('ana', 'memory.policy.delete', { id });
    });
    const told = async (operation: string, did: string, more: object) => {
      const error = await call('helper', operation, { did, ...more }).catch((thrown) => thrown);
      return { code: error.code, message: error.message, status: error.status, details: error.details };
    };
    for (const [operation, more] of [
      ['a2p.profile.get', {}],
      ['a2p.memories.list', {}],
      ['a2p.propose', { proposal: { content: 'x' } }],
      ['a2p.proposals.list', {}],
      ['a2p.proposals.review', { id: 'prop_1', action: 'approve' }],
      ['a2p.access.request', { scopes: ['a2p:preferences'], purpose: 'personalization' }],
    ] as const) {
      const known = await told(operation, OWNER, more);
      expect([operation, known.code]).toEqual([operation, 'A2P004']);
      expect(await told(operation, 'did:a2p:user:local:nobody', more)).toEqual(known);
    }
    expect(await app.db.read((reader) => reader.all('select * from memory_accesses'))).toEqual([]);
  });
});
