import { expect, it } from 'vitest';
import type { Principal } from '../identity/principal.ts';
import { roles } from '../identity/roles.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { createInboxHandlers } from './handlers.ts';
import type { NewItem } from './inbox.ts';
import { itemCountsSchema, itemListSchema, itemSchema } from './schema.ts';
import { inboxTestMigrations, person, testInbox } from './testing.ts';

/** A person without the operator's scope. */
const human = (id: string): Principal => ({
  ...person(id),
  owner: false,
  scopes: new Set(roles.human),
});
const agentOf = (id: string): Principal => ({
  ...human(id),
  actor: { id, type: 'agent' },
  scopes: new Set(roles.agent),
  credential: { kind: 'key', id: `key of ${id}` },
});

describeOnEachEngine('who decides', (open) => {
  async function rig() {
    const kit = testInbox(await open(inboxTestMigrations));
    for (const kind of ['review', 'other']) kit.inbox.register(kind, { apply: 'rows', run: async () => {} });
    const handlers = createInboxHandlers({ db: kit.db, inbox: kit.inbox, clock: kit.clock });
    const rest = { headers: undefined, requestId: 'r1', signal: new AbortController().signal };
    const input = (query: object) => ({ path: undefined, query, headers: undefined, body: undefined });
    let opened = 0;
    const ask = (change: Partial<NewItem> = {}) => {
      opened += 1;
      return kit.openItem({ subject: { type: 'package', id: `pkg_${opened}` }, ...change });
    };
    const list = async (query: object, principal: Principal) =>
      itemListSchema.parse(
        (
          await kit.db.read((reader) =>
            handlers['inbox.list'](reader, { input: input(query), document: undefined, principal, ...rest }),
          )
        ).body,
      );
    const counts = async (principal: Principal) =>
      itemCountsSchema.parse(
        (
          await kit.db.read((reader) =>
            handlers['inbox.counts'](reader, { input: input({}), document: undefined, principal, ...rest }),
          )
        ).body,
      );
    const show = async (id: string, principal: Principal) =>
      itemSchema.parse(
        (
          await kit.db.read((reader) =>
            handlers['inbox.get'](reader, {
              input: { path: { id }, query: undefined, headers: undefined, body: undefined },
              document: undefined,
              principal,
              ...rest,
            }),
          )
        ).body,
      );
    const refusal = async (itemId: string, digest: string, principal: Principal, choice?: string) => {
      const said = { itemId, digest, decision: 'approve', principal, ...(choice && { choice }) } as const;
      return kit.decide(said).then(
        () => undefined,
        (error) => error.code as string,
      );
    };
    return { ...kit, ask, list, counts, show, refusal };
  }

  it('is nobody who asked: not the actor of the credential, nor the one it spoke for, nor the credential', async () => {
    const { ask, refusal, show } = await rig();
    const asker = human('hank');
    const { itemId, digest } = await ask({
      requestedBy: asker.actor,
      requestedFor: { id: 'bot', type: 'agent' },
      requestedWith: 'key:k1',
    });
    const spokenFor = { ...human('bot') };
    const sameKey: Principal = { ...human('other'), credential: { kind: 'key', id: 'k1' } };
    for (const principal of [asker, spokenFor, sameKey]) {
      expect(await refusal(itemId, digest, principal)).toBe('self_approval');
      expect(await show(itemId, principal)).toMatchObject({
        can_decide: false,
        cannot_decide: { code: 'self_approval' },
      });
    }
    expect(await show(itemId, human('ina'))).toMatchObject({ can_decide: true, cannot_decide: null });
    expect(await refusal(itemId, digest, human('ina'))).toBeUndefined();
    expect(await show(itemId, human('ina'))).toMatchObject({ can_decide: false, cannot_decide: null });
  });

  it('the store too refuses a decision by the actor that was spoken for', async () => {
    const { ask, db } = await rig();
    const { itemId } = await ask({ requestedFor: { id: 'ana', type: 'human' } });
    const forge = db.write((uow) =>
      uow.run(
        "update inbox_items set state = 'decided', decision = 'approve', decided_by = 'ana' where item_id = ?",
        [itemId],
      ),
    );
    await expect(forge).rejects.toThrow();
  });

  it('is whom the item names, said to those it does not name before they try', async () => {
    const { ask, refusal, list, counts } = await rig();
    const forLeads = await ask({ deciders: ['lead-*', 'cfo'] });
    await ask({ deciders: null });
    await ask({ deciders: ['nobody'], ownerDecides: true });
    const ana = human('ana');
    const lead = human('lead-1');
    expect(await refusal(forLeads.itemId, forLeads.digest, ana)).toBe('approver_required');
    expect((await list({}, ana)).items.map((item) => item.can_decide)).toEqual([false, true, false]);
    expect((await list({}, ana)).items[0]?.cannot_decide?.code).toBe('approver_required');
    expect((await list({ mine: true }, ana)).items).toHaveLength(1);
    expect(await counts(ana)).toMatchObject({ open: 3, mine: 1 });
    expect(await counts(lead)).toMatchObject({ open: 3, mine: 2 });
    const owner: Principal = { ...person('owner'), owner: true };
    expect(await counts(owner)).toMatchObject({ open: 3, mine: 2 });
    const reader = { ...lead, scopes: new Set(roles.reader) };
    expect(await counts(reader)).toMatchObject({ open: 3, mine: 0 });
    expect((await list({}, reader)).items[0]?.cannot_decide?.code).toBe('forbidden');
    expect(await refusal(forLeads.itemId, forLeads.digest, lead)).toBeUndefined();
  });

  it('does not learn whose health it is: an agent sees nothing, a person without the right sees that there is something', async () => {
    const { ask, list, counts, show } = await rig();
    const { itemId } = await ask({
      title: 'coach proposes a memory about ana in a2p:health',
      requestedBy: { id: 'coach', type: 'agent' },
      deciders: ['ana'],
      personal: true,
      unblocks: [{ type: 'profile', id: 'ana' }],
    });
    const spy = agentOf('spy');
    expect((await list({}, spy)).total).toBe(0);
    expect(await counts(spy)).toMatchObject({ open: 0, by_kind: {} });
    await expect(show(itemId, spy)).rejects.toMatchObject({ code: 'item_not_found', status: 404 });
    const colleague = human('ben');
    for (const query of [{ words: 'ana' }, { words: 'health' }]) {
      expect((await list(query, colleague)).total).toBe(0);
      expect((await list(query, spy)).total).toBe(0);
      expect((await list(query, human('ana'))).total).toBe(1);
    }
    const unshown = await show(itemId, colleague);
    expect(JSON.stringify(unshown)).not.toMatch(/ana|health/);
    expect(unshown).toMatchObject({ personal: true, can_decide: false, subject: { id: '' }, digest: '' });
    expect((await show(itemId, agentOf('coach'))).title).toContain('health');
    expect(await show(itemId, human('ana'))).toMatchObject({ can_decide: true });
  });

  it('chooses between what the item offers, and it is on record', async () => {
    const { ask, refusal, show, feed } = await rig();
    const choices = [
      { id: 'call', words: 'Once' },
      { id: 'session', words: 'In this session' },
    ];
    const { itemId, digest } = await ask({ choices });
    expect(await refusal(itemId, digest, human('ana'), 'rule')).toBe('unknown_choice');
    expect(await refusal(itemId, digest, human('ana'), 'session')).toBeUndefined();
    expect(await refusal(itemId, digest, human('ana'), 'session')).toBeUndefined();
    expect(await refusal(itemId, digest, human('ana'))).toBe('already_decided');
    expect((await show(itemId, human('ana'))).decision?.choice).toBe('session');
    const { events } = await feed.page({ types: ['inbox.decided'], limit: 10 });
    expect(events.map(({ event }) => event.payload?.choice)).toEqual(['session']);
    const plain = await ask({ choices });
    await refusal(plain.itemId, plain.digest, human('ana'));
    expect((await show(plain.itemId, human('ana'))).decision?.choice).toBe('call');
  });

  it('reaches every one of 500 items by pages, in any order, with totals that are totals', async () => {
    const { ask, list, counts, clock, db, inbox } = await rig();
    const risks = ['low', 'medium', 'high', 'critical'] as const;
    const now = clock.now();
    await ask({ title: 'The 100% one_of_a kind' });
    await db.write(async (uow) => {
      for (let n = 1; n < 500; n += 1) {
        await inbox.openItem(uow, {
          kind: n % 5 === 0 ? 'other' : 'review',
          projectId: 'p1',
          requestedBy: { id: 'builder', type: 'agent' },
          subject: { type: 'package', id: `bulk_${n}` },
          digest: `jcs-sha256:${'0'.repeat(64)}`,
          rule: 'r',
          title: `Item ${n}`,
          risk: risks[n % 4] ?? 'low',
          edits: false,
          ...(n % 3 === 0 && { expires: now + ((n * 7919) % 1000) * 1_000_000 + 1_000_000 }),
        });
      }
    });
    const ana = human('ana');
    const expected = await counts(ana);
    expect(expected).toMatchObject({ open: 500, mine: 500, by_kind: { other: 99, review: 401 } });
    for (const sort of ['oldest', 'newest', 'risk', 'expiry'] as const) {
      const seen: (typeof itemSchema)['_output'][] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list({ limit: 70, ...(cursor ? { cursor } : { sort }) }, ana);
        expect(page.total).toBe(expected.open);
        seen.push(...page.items);
        cursor = page.next;
      } while (cursor !== null);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(expected.open);
      const keys = seen.map((item) =>
        sort === 'risk'
          ? -risks.indexOf(item.risk)
          : sort === 'expiry'
            ? Date.parse(item.expires_at ?? '9999-01-01T00:00:00Z')
            : sort === 'newest'
              ? -item.seq
              : item.seq,
      );
      expect(keys).toEqual([...keys].sort((a, b) => a - b));
    }
    expect((await list({ words: '100% ONE_of' }, ana)).total).toBe(1);
    expect((await list({ words: '%' }, ana)).total).toBe(1);
    const { by_risk } = expected;
    expect(Object.values(by_risk).reduce((a, b) => a + b, 0)).toBe(expected.open);
  });
});
