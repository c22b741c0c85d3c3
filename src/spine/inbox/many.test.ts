import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Principal } from '../identity/principal.ts';
import type { Reader } from '../storage/database.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { decideMany } from './decide-many.ts';
import { createInboxHandlers } from './handlers.ts';
import { type InboxItem, risks } from './item.ts';
import { ana, ben, inboxTestMigrations, person, testInbox } from './testing.ts';
import { createShowItems } from './who-looks.ts';

const proving = process.env.BATON_PROVE === '1';
const MANY = proving ? 10_000 : 400;
const AGENTS = ['builder', 'refunder', 'writer'] as const;

describeOnEachEngine('an inbox of many items', (open) => {
  async function rig() {
    const kit = testInbox(await open(inboxTestMigrations));
    const effects: string[] = [];
    kit.inbox.register('review', {
      apply: 'rows',
      run: async (uow, item) => uow.afterCommit(() => effects.push(item.itemId)),
      highlights: async (_reader, item) => [{ name: 'id', value: item.subject.id, deciding: true }],
    });
    kit.inbox.register('action', { apply: 'rows', run: async () => undefined });
    const handlers = createInboxHandlers({ db: kit.db, inbox: kit.inbox, clock: kit.clock });
    const rest = {
      document: undefined,
      headers: undefined,
      requestId: 'r1',
      signal: new AbortController().signal,
    };
    const asked = (query: object) => ({ path: undefined, query, headers: undefined, body: undefined });
    type Reads = (reader: Reader, call: object) => Promise<{ readonly body: unknown }>;
    const read = <B>(name: 'inbox.list' | 'inbox.groups' | 'inbox.counts') => {
      const handler = handlers[name] as unknown as Reads;
      return async (query: object, principal: Principal = ana): Promise<B> =>
        (await kit.db.read((reader) => handler(reader, { ...rest, principal, input: asked(query) })))
          .body as B;
    };
    const many = (decisions: readonly object[], principal: Principal = ana, more: object = {}) =>
      decideMany(kit.db, kit.inbox, createShowItems(kit.inbox, kit.clock), principal, {
        decision: 'approve',
        decisions: decisions as never,
        ...more,
      });
    return {
      ...kit,
      effects,
      many,
      list: read<ListBody>('inbox.list'),
      groups: read<GroupsBody>('inbox.groups'),
      counts: read<CountsBody>('inbox.counts'),
    };
  }

  /** As 500 a day would be: a few kinds of request, some alone, with and without expiry, of every risk. */
  async function filled(count = MANY) {
    const kit = await rig();
    const start = kit.clock.now();
    const items: InboxItem[] = [];
    for (let from = 0; from < count; from += 200) {
      await kit.db.write(async (uow) => {
        for (let n = from; n < Math.min(from + 200, count); n += 1) {
          const agentId = AGENTS[n % 3] as string;
          items.push(
            await kit.inbox.openItem(uow, {
              kind: n % 4 === 0 ? 'action' : 'review',
              projectId: n % 5 === 0 ? 'p2' : 'p1',
              requestedBy: { id: agentId, type: 'agent' },
              subject: { type: 'thing', id: `t${n}` },
              digest: `jcs-sha256:${String(n).padStart(64, '0')}`,
              rule: `rule-${n % 2}`,
              title: `Thing ${n}`,
              risk: risks[n % 4] as never,
              edits: false,
              ...(n % 7 !== 0 && { alike: [`do-${n % 6}`] }),
              ...(n % 3 !== 0 && { expires: start + 1_000_000 + ((n * 7_919) % 86_400) * 1_000_000 }),
            }),
          );
        }
      });
    }
    return { ...kit, items };
  }

  it('shows every item in exactly one group, however it is paged, with totals that are totals', async () => {
    const { groups, list, items } = await filled();
    for (const sort of ['urgency', 'risk', 'oldest']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      let sum = 0;
      do {
        const page: GroupsBody = await groups(cursor === null ? { sort, limit: 37 } : { cursor, limit: 37 });
        expect(page.items).toBe(items.length);
        for (const { count, first } of page.groups) {
          seen.push(first.like ?? first.id);
          sum += count;
        }
        cursor = page.next;
        if (cursor === null) expect(new Set(seen).size).toBe(page.total);
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(seen.length);
      expect(sum).toBe(items.length);
    }
    const { groups: page } = await groups({ limit: 200 });
    const [large] = page.filter(({ count }) => count > 1);
    const members = await list({ like: large?.first.like, sort: 'urgency', limit: 200 });
    expect(members.total).toBe(large?.count);
    expect(members.items[0]?.id).toBe(large?.first.id);
    const one = members.items.map((item) => [
      item.kind,
      item.project_id,
      item.rule,
      item.risk,
      item.requested_for.id,
    ]);
    expect(new Set(one.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('begins with what expires next and, within the minute, with the highest risk', async () => {
    const { list, groups, items } = await filled(Math.min(MANY, 400));
    const order = ({ expires, risk, seq }: InboxItem) =>
      [Math.floor((expires ?? Number.MAX_SAFE_INTEGER) / 60_000_000), 3 - risks.indexOf(risk), seq] as const;
    const wanted = [...items].sort((a, b) => {
      const [x, y] = [order(a), order(b)];
      return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
    });
    const got: string[] = [];
    let cursor: string | null = null;
    do {
      const page: ListBody = await list(
        cursor === null ? { sort: 'urgency', limit: 100 } : { cursor, limit: 100 },
      );
      got.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(got).toEqual(wanted.map(({ itemId }) => itemId));
    const first = (await groups({ limit: 1 })).groups[0]?.first;
    expect(first?.id).toBe(wanted[0]?.itemId);
    expect(first?.highlights ?? []).toEqual(
      first?.kind === 'review' ? [{ name: 'id', value: expect.any(String), deciding: true }] : [],
    );
  });

  it('counts in each facet what choosing it would list', async () => {
    const { counts, list } = await filled(Math.min(MANY, 400));
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            kind: fc.constantFrom('review', 'action'),
            risk: fc.constantFrom(...risks),
            project: fc.constantFrom('p1', 'p2'),
            requested_by: fc.constantFrom(...AGENTS),
            mine: fc.constant(true),
            words: fc.constantFrom('thing 1', 'Thing 2'),
          },
          { requiredKeys: [] },
        ),
        async (query) => {
          const found = await counts(query);
          expect(found.total).toBe((await list({ ...query, limit: 1 })).total);
          const facets = {
            kind: found.by_kind,
            risk: found.by_risk,
            requested_by: found.by_agent,
            project: found.by_project,
          };
          for (const [name, facet] of Object.entries(facets)) {
            for (const [value, count] of Object.entries(facet)) {
              expect([name, value, count]).toEqual([
                name,
                value,
                (await list({ ...query, [name]: value, limit: 1 })).total,
              ]);
            }
          }
        },
      ),
      { numRuns: proving ? 40 : 6 },
    );
  });

  it('decides each of many by its own digest, and says of every one what came of it', async () => {
    const { items, many, effects, item, decide, openItem } = await filled(60);
    const [changed, taken, gone, ...rest] = items.filter(
      ({ risk, kind }) => risk === 'low' && kind === 'action',
    ) as [InboxItem, InboxItem, InboxItem, ...InboxItem[]];
    await decide({ itemId: taken.itemId, decision: 'reject', digest: taken.digest, principal: ben });
    const own = await openItem({
      requestedBy: ana.actor,
      kind: 'review',
      subject: { type: 'thing', id: 'own' },
    });
    const others = await openItem({
      deciders: ['carla'],
      kind: 'review',
      subject: { type: 'thing', id: 'others' },
    });
    const asked = [
      { id: changed.itemId, digest: `jcs-sha256:${'f'.repeat(64)}` },
      { id: taken.itemId, digest: taken.digest },
      { id: 'inb_none', digest: gone.digest },
      { id: own.itemId, digest: own.digest },
      { id: others.itemId, digest: others.digest },
      ...rest.map(({ itemId: id, digest }) => ({ id, digest })),
    ];
    const answer = await many(asked);
    expect(answer.results.map(({ id }) => id)).toEqual(asked.map(({ id }) => id));
    expect(answer.results.slice(0, 5).map(({ error }) => error?.code)).toEqual([
      'stale_digest',
      'already_decided',
      'item_not_found',
      'self_approval',
      'approver_required',
    ]);
    expect(answer).toMatchObject({ decided: rest.length, refused: 5 });
    expect((await item(changed.itemId))?.state).toBe('open');
    const again = await many(asked);
    expect(again).toMatchObject({ decided: rest.length, refused: 5 });
    expect(again.results.slice(5).every(({ outcome }) => outcome === 'repeated')).toBe(true);
    expect(effects).toEqual([]);
  });

  it('gives each item one outcome where several people decide the same many at once', async () => {
    const { items, many, effects } = await filled(80);
    const low = items.filter(({ risk, kind }) => risk === 'medium' && kind === 'review');
    const asked = low.map(({ itemId: id, digest }) => ({ id, digest }));
    const answers = await Promise.all([
      many(asked, ana),
      many([...asked].reverse(), ben, { decision: 'reject' }),
      many(asked, person('carla')),
    ]);
    const decided = answers.flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'decided'));
    expect(decided.map(({ id }) => id).sort()).toEqual(asked.map(({ id }) => id).sort());
    expect([...effects].sort()).toEqual(asked.map(({ id }) => id).sort());
    for (const { results } of answers) {
      for (const { outcome, error } of results)
        if (outcome === 'refused') expect(error?.code).toBe('already_decided');
    }
  });

  it('decides nothing more from the moment at which presence is lost', async () => {
    const { items, many, item } = await filled(120);
    const high = items.filter(({ risk }) => risk === 'high');
    let looks = 0;
    const fading = {
      ...ana,
      get present() {
        looks += 1;
        return looks <= 10;
      },
    };
    const asked = high.map(({ itemId: id, digest }) => ({ id, digest }));
    const { results, decided, refused } = await many(asked, fading);
    expect(decided).toBe(10);
    expect(refused).toBe(high.length - 10);
    for (const { id, outcome, error } of results) {
      if (outcome === 'refused') expect(error?.code).toBe('presence_required');
      expect((await item(id))?.state).toBe(outcome === 'refused' ? 'open' : 'applied');
    }
    const rest = await many(asked, ana);
    expect(rest.results.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(10);
    expect(rest.refused).toBe(0);
  });
});

interface Body {
  readonly id: string;
  readonly like: string | null;
  readonly kind: string;
  readonly rule: string;
  readonly risk: string;
  readonly project_id: string;
  readonly requested_for: { readonly id: string };
  readonly highlights?: readonly object[];
}
interface ListBody {
  readonly items: readonly Body[];
  readonly total: number;
  readonly next: string | null;
}
interface GroupsBody {
  readonly groups: readonly { readonly count: number; readonly first: Body }[];
  readonly total: number;
  readonly items: number;
  readonly next: string | null;
}
interface CountsBody {
  readonly total: number;
  readonly by_kind: Readonly<Record<string, number>>;
  readonly by_risk: Readonly<Record<string, number>>;
  readonly by_agent: Readonly<Record<string, number>>;
  readonly by_project: Readonly<Record<string, number>>;
}
