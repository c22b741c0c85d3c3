import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { OWNER, type World, worldsOn } from './world.ts';

const tea = { content: 'User likes green tea', category: 'a2p:interests', memory_type: 'semantic' };
const left = ({ headers }: { headers: Record<string, string> }) => Number(headers['x-ratelimit-remaining']);

describeOnEachEngine('the limits of a2p', (open) => {
  const world = worldsOn(open);

  async function shared(): Promise<World> {
    const made = await world();
    await made.approve(tea);
    await made.allow({ priority: 1, allow: ['a2p:interests'] });
    return made;
  }

  it('stand on every answer: how many, how many are left, and until when', async () => {
    const { answer } = await shared();
    const first = await answer('rival', 'a2p.proposals.list', { did: OWNER });
    expect(first.headers).toMatchObject({
      'a2p-version': '0.1',
      'x-ratelimit-limit': '90',
      'x-ratelimit-remaining': '89',
      'x-ratelimit-reset': String(Date.parse('2026-03-04T12:01:00Z') / 1000),
    });
    expect(left(await answer('rival', 'a2p.agent.get', { did: OWNER }).catch(() => first))).toBe(89);
    expect(left(await answer('rival', 'a2p.proposals.list', { did: OWNER }))).toBe(87);
  });

  it('count a repeated request like a new one, and refuse it before its key is looked up', async () => {
    const { answer, refusal } = await shared();
    const keyed = (scope: string) => ({
      did: OWNER,
      'idempotency-key': 'k1',
      scopes: [scope],
      purpose: 'personalization',
    });
    const first = await answer('helper', 'a2p.access.request', keyed('a2p:interests'));
    for (let more = 1; more < 30; more += 1) {
      const again = await answer('helper', 'a2p.access.request', keyed('a2p:interests'));
      expect(again).toEqual({
        body: first.body,
        headers: {
          ...first.headers,
          'idempotent-replayed': 'true',
          'x-ratelimit-remaining': String(29 - more),
        },
      });
    }
    expect(await refusal('helper', 'a2p.access.request', keyed('a2p:interests'))).toBe('A2P005');
    expect(await refusal('helper', 'a2p.access.request', keyed('a2p:health'))).toBe('A2P005');
    expect(await refusal('rival', 'a2p.access.request', keyed('a2p:interests'))).toBe('ok');
  });

  it('let an agent read a hundred times an hour, in all processes together, and then say when to come back', async () => {
    const here = await shared();
    const there = await world(here);
    there.clock.advance({ micros: here.clock.now() - there.clock.now() });
    let read = 0;
    for (let at = 0; at < 130; at += 1) {
      const { refusal, clock } = at % 2 === 0 ? here : there;
      if ((await refusal('helper', 'memory.recall', { query: 'tea' })) === 'ok') read += 1;
      clock.advance({ seconds: 1 });
    }
    expect(read).toBe(100);
    const refused = await here.call('helper', 'a2p.memories.list', { did: OWNER }).catch((error) => error);
    expect(refused).toMatchObject({ code: 'A2P005', details: { limit: 100, remaining: 0 } });
    expect(refused.retryAfterSeconds).toBeGreaterThan(3000);
    expect(await here.refusal('rival', 'memory.recall', { query: 'tea' })).toBe('ok');
    expect(await here.refusal('ana', 'memory.recall', { query: 'tea' })).toBe('ok');
    here.clock.advance({ seconds: 3600 });
    expect(await here.refusal('helper', 'memory.recall', { query: 'tea' })).toBe('ok');
  });

  it('count before a profile is looked for, so that being refused tells nothing of it', async () => {
    const { refusal, call } = await world();
    const codes: [string, string][] = [];
    for (let at = 0; at < 101; at += 1) {
      const known = await refusal('helper', 'memory.recall', { query: 'x', profile: OWNER });
      const unknown = await refusal('rival', 'memory.recall', {
        query: 'x',
        profile: 'did:a2p:user:local:no',
      });
      codes.push([known, unknown]);
    }
    expect(new Set(codes.map(([known, unknown]) => known === unknown))).toEqual(new Set([true]));
    expect(codes.at(-1)).toEqual(['A2P005', 'A2P005']);
    expect((await call('ana', 'memory.access')).receipts).toEqual([]);
  });

  it('include what the person’s own policy says, for each agent by itself, over processes', async () => {
    const here = await world();
    await here.approve(tea);
    await here.allow({
      priority: 1,
      allow: ['a2p:interests'],
      conditions: { rateLimit: { requests: 3, window: '1h' } },
    });
    const there = await world(here);
    there.clock.advance({ micros: here.clock.now() - there.clock.now() });
    const codes = [];
    for (const { refusal } of [here, there, here, there, here])
      codes.push(await refusal('helper', 'memory.recall', { query: 'tea' }));
    expect(codes).toEqual(['ok', 'ok', 'ok', 'A2P005', 'A2P005']);
    expect(await here.refusal('rival', 'memory.recall', { query: 'tea' })).toBe('ok');
    expect(await here.refusal('helper', 'memory.propose', { ...tea, content: 'User likes chai' })).toBe(
      'A2P005',
    );
    here.clock.advance({ seconds: 3600 });
    expect(await here.refusal('helper', 'memory.recall', { query: 'tea' })).toBe('ok');
  });

  it('cannot be written so that nobody knows what they mean; imported ones of that kind let nothing through', async () => {
    const { allow, call, refusal } = await world();
    const conditions = { rateLimit: { requests: 'many' } };
    await expect(allow({ allow: ['a2p:*'], conditions })).rejects.toMatchObject({ code: 'A2P006' });
    const id = 'did:a2p:user:test:imported';
    await call('ana', 'memory.profile.import', {
      document: {
        id,
        memories: { 'a2p:semantic': [{ content: 'x', category: 'a2p:interests' }] },
        accessPolicies: [
          { id: 'policy_1', agentPattern: '*', permissions: ['read_scoped'], allow: ['a2p:*'], conditions },
        ],
      },
    });
    expect(await refusal('helper', 'a2p.memories.list', { did: id })).toBe('A2P005');
  });
});

describeOnEachEngine('the lenient setting', (open) => {
  const strict = worldsOn(open);
  const lenient = worldsOn(open, { env: { BATON_A2P_LENIENT: '1' } });
  const nobody = 'did:a2p:user:nonexistent';

  it('takes DIDs without a namespace, and tells unknown from forbidden, as the conformance tool wants', async () => {
    const { refusal, call } = await lenient();
    expect(await refusal('helper', 'a2p.profile.get', { did: nobody })).toBe('A2P003');
    expect(await refusal('helper', 'a2p.profile.get', { did: OWNER })).toBe('A2P004');
    await call('ana', 'memory.profile.create', { did: 'did:a2p:user:short', template: 'open' });
    const proposal = { content: 'x', category: 'a2p:test.conformance' };
    expect(await refusal('ana', 'a2p.propose', { did: 'did:a2p:user:short', proposal })).toBe('ok');
  });

  it('is off unless set', async () => {
    const { refusal } = await strict();
    expect(await refusal('helper', 'a2p.profile.get', { did: nobody })).toBe('A2P010');
    expect(await refusal('helper', 'a2p.profile.get', { did: 'did:a2p:user:local:nobody' })).toBe('A2P004');
    expect(await refusal('ana', 'memory.profile.create', { did: 'did:a2p:user:short' })).toBe('A2P010');
  });
});
