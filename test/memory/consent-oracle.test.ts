import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayHave, type Told, type ToldPolicy } from './consent-oracle.ts';
import { openWorld, type Who, type World } from './world.ts';

const CASES = process.env.BATON_PROVE === '1' ? 10_000 : 75;

const READERS = {
  helper: 'did:a2p:agent:local:helper',
  rival: 'did:a2p:agent:local:rival',
  ben: 'did:a2p:user:local:ben',
} as const;
type Reading = keyof typeof READERS;

const CATEGORIES = [
  'a2p:interests',
  'a2p:interests.music',
  'a2p:interests.music.jazz',
  'a2p:interests.food',
  'a2p:health',
  'a2p:health.allergies',
  'a2p:relationships',
  'ext:spotify:music',
  undefined,
] as const;
const SCOPES = [
  '*',
  'a2p:*',
  'ext:*',
  'ext:spotify:*',
  'ext:spotify:music',
  'a2p:semantic',
  'a2p:episodic',
  'a2p:semantic.health',
  'a2p:semantic.interests.*',
  'a2p:interests',
  'a2p:interests.*',
  'a2p:interests.music',
  'a2p:interests.music.*',
  'a2p:health',
  'a2p:health.*',
  'a2p:relationships',
];
const TYPES = ['episodic', 'semantic', 'procedural'] as const;

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const place = fc.record(
  {
    memory_type: some(...TYPES),
    category: some(...CATEGORIES),
    sensitivity: some(undefined, undefined, 'public', 'standard', 'sensitive', 'restricted'),
    scope: some(undefined, ['work'], ['home'], ['general', 'work']),
  },
  { requiredKeys: ['memory_type'] },
);
const policy = fc.record(
  {
    id: some('policy_a', 'policy_b', 'policy_c'),
    agentPattern: some('*', 'did:a2p:agent:*', READERS.helper, READERS.ben),
    permissions: fc.subarray(['read_public', 'read_scoped', 'read_full', 'propose'], { minLength: 1 }),
    allow: fc.subarray(SCOPES, { maxLength: 5 }),
    deny: fc.subarray(SCOPES.slice(3), { maxLength: 2 }),
    priority: fc.integer({ min: 0, max: 3 }),
    enabled: some(true, true, false),
    expiry: some('2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'),
    subProfile: some('work', 'home'),
    conditions: fc.record({ requireVerifiedOperator: fc.boolean() }),
  },
  { requiredKeys: ['id', 'agentPattern', 'permissions', 'allow'] },
);
const pick = fc.nat({ max: 50 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('add' as const), place }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('propose' as const), place, edited: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant('policy' as const), policy }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('disallow' as const), policy }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: some('revoke' as const, 'readmit' as const),
      who: some('helper', 'rival', 'ben'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('merge' as const), one: pick, two: pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unmerge' as const), one: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('edit' as const), one: pick, place, words: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ op: some('archive' as const, 'restore' as const), one: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('reclassify' as const), one: pick, to: some(...TYPES) }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('erase' as const), one: pick }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('whatever is done, an agent is given only what a person who knows the rules would give', () => {
  let world: World;
  let folder: string;
  let cases = 0;
  let tokens = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'baton-oracle-'));
    const env = { BATON_A2P_READS_PER_HOUR: '100000000' };
    world = await openWorld(`sqlite:${join(folder, 'baton.db')}`, folder, { bare: true, env });
  });
  afterAll(async () => {
    await world.app.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A word that stands in one text only: where it turns up, that text was given away. */
  const said = () => `tea token${tokens++}x`;
  const tokensIn = (value: unknown) => [...new Set(JSON.stringify(value).match(/token\d+x/g) ?? [])].sort();

  async function profileOf(did: string): Promise<{ memories: Told[]; policies: ToldPolicy[] }> {
    const exported = await world.call('ana', 'memory.profile.export', { profile: did });
    const memories = TYPES.flatMap((type) =>
      ((exported.memories?.[`a2p:${type}`] ?? []) as Told[]).map((memory) => ({ ...memory, type })),
    );
    return { memories, policies: exported.accessPolicies ?? [] };
  }

  async function act(did: string, blocked: Set<string>, taken: Step): Promise<void> {
    const { memories } = await profileOf(did);
    const one = 'one' in taken ? memories[taken.one % Math.max(1, memories.length)]?.id : undefined;
    const owner = (operation: string, flat: object) =>
      world.refusal('ana', operation, { profile: did, ...flat });
    switch (taken.op) {
      case 'add':
        await owner('memory.add', { content: said(), ...taken.place });
        return;
      case 'propose': {
        const flat = { profile: did, content: said(), ...taken.place };
        const made = await world.call('helper', 'memory.propose', flat).catch(() => undefined);
        if (!made) return;
        const edits = taken.edited ? { content: said() } : {};
        await owner('memory.proposals.review', { id: made.proposal_id, action: 'approve', ...edits });
        return;
      }
      case 'policy':
        await owner('memory.policy.put', taken.policy);
        return;
      case 'disallow':
        await owner('memory.policy.delete', { id: taken.policy.id });
        return;
      case 'revoke':
        blocked.add(READERS[taken.who as Reading]);
        await owner('memory.access.revoke', { agent: READERS[taken.who as Reading] });
        return;
      case 'readmit':
        blocked.delete(READERS[taken.who as Reading]);
        await owner('memory.access.restore', { agent: READERS[taken.who as Reading] });
        return;
      default:
    }
    if (one === undefined) return;
    if (taken.op === 'merge') {
      const two = memories[taken.two % memories.length]?.id;
      await owner('memory.merge', { memory_ids: [one, two] });
    } else if (taken.op === 'unmerge') await owner('memory.unmerge', { id: one });
    else if (taken.op === 'edit') {
      const { memory_type: _, ...rest } = taken.place;
      await owner('memory.edit', { id: one, ...rest, ...(taken.words && { content: said() }) });
    } else if (taken.op === 'reclassify')
      await owner('memory.reclassify', { id: one, memory_type: taken.to });
    else if (taken.op === 'erase') await owner('memory.erase', { memory: one });
    else await owner(`memory.${taken.op}`, { id: one });
  }

  async function check(did: string, blocked: Set<string>): Promise<void> {
    const { memories, policies } = await profileOf(did);
    const model = { memories, policies, blocked, now: '2026-03-05T00:00:00Z' };
    const kept = tokensIn(memories);
    for (const [who, agent] of Object.entries(READERS) as [Reading, string][]) {
      const allowed = memories.filter((memory) => mayHave(model, agent, memory));
      const mayBe = tokensIn(allowed.map(({ content }) => content));
      const ids = allowed.map(({ id }) => id).sort();
      const read = (operation: string, flat: object) =>
        world.call(who as Who, operation, { ...flat }).catch((error) => {
          if (error.code === undefined) throw error;
          return [];
        });
      const listed = await read('a2p.memories.list', { did, limit: 200 });
      expect(listed.map(({ memory }: { memory: Told }) => memory.id).sort()).toEqual(ids);
      expect(tokensIn(await read('a2p.profile.get', { did }))).toEqual(mayBe);
      const narrower = [
        read('memory.recall', { profile: did, query: 'tea', limit: 200 }),
        read('a2p.memories.list', { did, query: 'tea', limit: 200 }),
        read('a2p.memories.list', { did, category: 'a2p:interests', type: 'semantic' }),
        read('a2p.memories.list', { did: `${did}:work` }),
        read('memory.recall', { profile: did, query: 'tea', as_of: '2026-03-05T00:00:00Z' }),
        read('memory.list', { profile: did }),
        read('memory.list', { profile: did, as_of: '2026-03-05T00:00:00Z' }),
        read('memory.profile.export', { profile: did }),
        ...memories.slice(0, 2).map(({ id }) => read('memory.get', { profile: did, id })),
      ];
      for (const answer of await Promise.all(narrower))
        expect(tokensIn(answer).filter((token) => !mayBe.includes(token))).toEqual([]);
    }
    const owned = await world.call('ana', 'memory.list', { profile: did, as_of: '2026-03-05T00:00:00Z' });
    expect(tokensIn(owned).filter((token) => !kept.includes(token))).toEqual([]);
  }

  it(`holds over random lives (${CASES})`, { timeout: 600_000 + CASES * 3000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const did = `did:a2p:user:test:case${cases++}`;
        const blocked = new Set<string>();
        await world.call('ana', 'memory.profile.create', { did });
        for (const taken of steps) await act(did, blocked, taken);
        await check(did, blocked);
      }),
      { numRuns: CASES },
    );
  });
});
