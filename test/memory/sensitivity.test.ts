import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { worldsOn } from './world.ts';

const LEVELS = ['public', 'standard', 'sensitive', 'restricted'] as const;
/** Each with the level that only a person may go below. */
const FLOORS = [
  ['a2p:health', 'restricted'],
  ['a2p:health.conditions', 'restricted'],
  ['a2p:financial', 'restricted'],
  ['a2p:relationships.family', 'sensitive'],
  ['a2p:preferences', 'standard'],
  ['a2p:semantic.health', 'restricted'],
  ['a2p:semantic.semantic.health', 'restricted'],
  ['a2p:Health', 'restricted'],
  ['a2p:unheard_of', 'standard'],
  ['ext:acme:anything', 'standard'],
] as const;

describeOnEachEngine('how sensitive a memory is', (open) => {
  const world = worldsOn(open);

  it('is never less than its category says, whatever the agent that proposes it claims', async () => {
    const { call, clock } = await world();
    let made = 0;
    for (const [category, floor] of FLOORS) {
      for (const declared of LEVELS) {
        if (made++ % 15 === 0) clock.advance({ seconds: 3_700 });
        const { proposal_id: id } = await call('helper', 'memory.propose', {
          content: `Fact ${made}`,
          category,
          sensitivity: declared,
          memory_type: 'semantic',
        });
        const shown = await call('ana', 'memory.proposals.get', { id });
        const effective = LEVELS.indexOf(declared) > LEVELS.indexOf(floor) ? declared : floor;
        expect([category, declared, shown.sensitivity]).toEqual([
          category,
          declared,
          { declared, of_category: floor, effective },
        ]);
        const { memory_id: memory } = await call('ana', 'memory.proposals.review', { id, action: 'approve' });
        const kept = await call('ana', 'memory.get', { id: memory });
        expect([category, kept.memory.sensitivity]).toEqual([category, effective]);
      }
    }
  });

  it('keeps an agent with read_public from what it proposed as public itself, in lists, searches and on a2p’s wire', async () => {
    const { call, approve, allow, clock } = await world();
    await allow({ priority: 1, permissions: ['propose', 'read_public'], allow: ['a2p:*'] });
    await approve({ content: 'User has a gloopcough', category: 'a2p:health', sensitivity: 'public' });
    await approve({ content: 'User likes gloopjazz', category: 'a2p:interests', sensitivity: 'public' });
    clock.advance({ seconds: 1 });
    expect((await call('helper', 'memory.recall', { query: 'gloopcough gloopjazz' })).memories).toEqual([]);
    const path = { did: 'did:a2p:user:local:ana' };
    expect(await call('helper', 'a2p.memories.list', path)).toEqual([]);
  });

  it('keeps what is sensitive by its category from being approved without a person', async () => {
    const { call } = await world();
    await call('ana', 'memory.profile.settings', {
      autoApproval: { enabled: true, minConfidence: 0.5, trustedAgentsOnly: false },
    });
    const propose = async (category: string, sensitivity: string) =>
      (
        await call('helper', 'memory.propose', {
          content: `In ${category} as ${sensitivity}`,
          category,
          sensitivity,
          confidence: 1,
        })
      ).status;
    expect(await propose('a2p:health', 'public')).toBe('pending');
    expect(await propose('a2p:semantic.health', 'public')).toBe('pending');
    expect(await propose('a2p:relationships', 'standard')).toBe('pending');
    expect(await propose('a2p:interests', 'sensitive')).toBe('pending');
    expect(await propose('a2p:interests', 'public')).toBe('approved');
  });

  it('can be lowered by its person for one memory, on record, and follows the memory no further than its category', async () => {
    const { call, approve, allow, app } = await world();
    await allow({ priority: 1, permissions: ['propose', 'read_public'], allow: ['a2p:*'] });
    const seen = async () =>
      (await call('helper', 'memory.recall', { query: 'gloopcough' })).memories.length as number;
    const id = await approve(
      { content: 'User has a gloopcough', category: 'a2p:health', sensitivity: 'public' },
      { sensitivity: 'public' },
    );
    expect(await seen()).toBe(1);
    expect((await call('ana', 'memory.get', { id })).memory.metadata.sensitivityLowered).toMatchObject({
      by: 'ana',
      from: 'restricted',
    });
    await call('ana', 'memory.edit', { id, category: 'a2p:financial' });
    expect(await seen()).toBe(0);
    await call('ana', 'memory.edit', { id, sensitivity: 'public' });
    expect(await seen()).toBe(1);
    await call('ana', 'memory.edit', { id, sensitivity: 'restricted' });
    expect(await seen()).toBe(0);
    const { events } = await app.feed.page({ types: ['memory.*'], limit: 100, after: 0 });
    const lowered = events.filter(({ event }) => event.payload?.sensitivity_lowered === true);
    expect(lowered.map(({ event }) => [event.event_type, event.payload?.memoryId])).toEqual([
      ['memory.created', id],
      ['memory.edited', id],
    ]);
  });

  it('rises for what is kept already when its person raises the category, or a vendor’s one is registered', async () => {
    const { call, approve, allow } = await world();
    await allow({ priority: 1, permissions: ['propose', 'read_full'], allow: ['a2p:*', 'ext:acme:*'] });
    await approve({ content: 'User likes gloopjazz', category: 'a2p:interests' });
    await approve({ content: 'User bought gloopshoes', category: 'ext:acme:orders' });
    const seen = async (query: string) =>
      (await call('helper', 'memory.recall', { query })).memories.length as number;
    expect([await seen('gloopjazz'), await seen('gloopshoes')]).toEqual([1, 1]);
    await call('ana', 'memory.profile.settings', { sensitivity: { 'a2p:interests': 'sensitive' } });
    await call('ana', 'memory.category.put', {
      category: 'ext:acme:orders',
      version: '1',
      maintainer_did: 'did:a2p:org:acme:shop',
      sensitivity: 'sensitive',
    });
    expect([await seen('gloopjazz'), await seen('gloopshoes')]).toEqual([0, 0]);
  });

  it('is not for agents to say for a whole category', async () => {
    const { refusal } = await world();
    const category = {
      category: 'ext:acme:health',
      version: '1',
      maintainer_did: 'did:a2p:org:acme:shop',
      sensitivity: 'public',
    };
    expect(await refusal('helper', 'memory.category.put', category)).not.toBe('ok');
    expect(await refusal('starred', 'memory.category.put', category)).toBe('A2P002');
    expect(await refusal('ana', 'memory.category.put', category)).toBe('ok');
  });

  it('counts in a store of before: what an agent called public there is not served below its category', async () => {
    const { call, approve, allow, app } = await world();
    await allow({ priority: 1, permissions: ['propose', 'read_public'], allow: ['a2p:*'] });
    const id = await approve({ content: 'User has a gloopcough', category: 'a2p:health' });
    // As the last version wrote it: the class as the agent declared it, and no word of who decided so.
    await app.db.write((uow) => uow.run("update memory_classes set sensitivity = 'public'"));
    await app.db.write((uow) =>
      uow.run(
        `update memory_texts set body = replace(body, '"status":"approved"', '"status":"approved","sensitivity":"public"') where ref = ?`,
        [id],
      ),
    );
    expect((await call('ana', 'memory.get', { id })).memory.sensitivity).toBe('public');
    expect((await call('helper', 'memory.recall', { query: 'gloopcough' })).memories).toEqual([]);
    await call('ana', 'memory.edit', { id, sensitivity: 'public' });
    expect((await call('helper', 'memory.recall', { query: 'gloopcough' })).memories).toHaveLength(1);
  });
});

describeOnEachEngine('what is shown of a proposal before it is decided', (open) => {
  const world = worldsOn(open);

  it('is every field that is stored of it', async () => {
    const { call, approve } = await world();
    const older = await approve({ content: 'User likes tea' });
    const { proposal_id: id } = await call('helper', 'memory.propose', {
      content: 'zz-content',
      category: 'a2p:health.zz_category',
      memory_type: 'procedural',
      confidence: 0.4321,
      context: 'zz-context',
      evidence: [{ type: 'inferred', quote: 'zz-quote', timestamp: '2026-01-02T03:04:05Z' }],
      sensitivity: 'public',
      scope: ['zz-scope'],
      tags: ['zz-tag'],
      priority: 'high',
      agentName: 'zz-agent-name',
      sessionId: 'zz-session',
      supersedes: older,
      expiresAt: '2026-03-09T00:00:00Z',
    });
    const { items } = await call('ana', 'inbox.list', { kind: 'memory_proposal' });
    const { details } = await call('ana', 'inbox.get', { id: items[0].id });
    const proposal = await call('ana', 'memory.proposals.get', { id });
    const words = [
      ...[
        'zz-content',
        'zz_category',
        'procedural',
        '0.4321',
        'zz-context',
        'zz-quote',
        'inferred',
        'public',
      ],
      ...['restricted', 'zz-scope', 'zz-tag', 'high', 'zz-agent-name', 'zz-session', older],
      ...['2026-01-02T03:04:05Z', '2026-03-09T00:00:00', '2026-03-04T12:00'],
    ];
    for (const shown of [details, proposal]) {
      const text = JSON.stringify(shown);
      expect(words.filter((word) => !text.includes(word))).toEqual([]);
    }
    // Others of the project learn neither whose it is, nor what it is about.
    for (const who of ['helper', 'rival', 'ben'] as const) {
      const text = JSON.stringify([
        await call(who, 'inbox.list').catch(() => []),
        await call(who, 'inbox.get', { id: items[0].id }).catch(() => []),
      ]);
      expect([who, /zz|health|restricted|user:local:ana/.exec(text)?.[0]]).toEqual([who, undefined]);
    }
  });

  it('never stands in the journal, which the whole project reads: no words, no category, no scope of a grant', async () => {
    const { call, approve, allow, app } = await world();
    await allow({ priority: 1, permissions: ['propose', 'read_scoped'], allow: ['a2p:health'] });
    const id = await approve({ content: 'zz-content', category: 'a2p:health', tags: ['zz-tag'] });
    await call('helper', 'a2p.access.request', {
      did: 'did:a2p:user:local:ana',
      scopes: ['a2p:health'],
      purpose: 'personalization',
    });
    await call('helper', 'memory.recall', { query: 'zz-content' });
    await call('ana', 'memory.edit', { id, content: 'zz-other', category: 'a2p:financial' });
    await call('ana', 'memory.erase', { category: 'a2p:financial' });
    const { events } = await app.feed.page({ limit: 200, after: 0 });
    expect(events.length).toBeGreaterThan(8);
    const text = JSON.stringify(events.map(({ event }) => event.payload));
    expect(/zz-|health|financial/.exec(text)?.[0]).toBeUndefined();
  });
});
