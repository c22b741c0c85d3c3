/** For tests of rooms that use the inbox: the real inbox on top of journal and jobs. */

import { digestOf, formatDigest } from '../../kernel/digest.ts';
import type { Json } from '../../kernel/json/value.ts';
import { nodeHasher } from '../../platform/index.ts';
import type { Actor, Principal } from '../identity/principal.ts';
import { jobMigrations } from '../jobs/migrations.ts';
import { createJobQueue } from '../jobs/queue.ts';
import { journalMigrations } from '../journal/migrations.ts';
import { testJournal } from '../journal/testing.ts';
import type { Database, UnitOfWork } from '../storage/database.ts';
import { createInbox, type DecideInput, type NewItem } from './inbox.ts';
import type { Risk } from './item.ts';
import { inboxMigrations } from './migrations.ts';

export const inboxTestMigrations = [...journalMigrations, ...jobMigrations, ...inboxMigrations];

export const agent: Actor = { id: 'builder', type: 'agent' };
export const ana = person('ana');
export const ben = person('ben');

export function person(id: string, present = true): Principal {
  return {
    actor: { id, type: 'human' },
    scopes: new Set(['*']),
    projects: 'all',
    defaultProject: 'p1',
    credential: { kind: 'dashboard', id: `session of ${id}` },
    owner: false,
    speaksFor: [],
    present,
  };
}

export const digestFor = (value: Json) => formatDigest(digestOf(nodeHasher, 'jcs', value));

export type TestInbox = ReturnType<typeof testInbox>;

export function testInbox(db: Database, options: { seed?: number; presenceFor?: readonly Risk[] } = {}) {
  const rig = testJournal(db, options.seed);
  const { journal, hasher, clock, random, ids } = rig;
  const jobs = createJobQueue({ ids, clock });
  const inbox = createInbox({
    journal,
    jobs,
    hasher,
    clock,
    random,
    ledgerOf: (uow, projectId, actor) => ledgerOf(uow, projectId, actor),
    ...(options.presenceFor && { presenceFor: options.presenceFor }),
  });

  /** One session for each project and actor, found by a fixed id as a standing session is found by its row. */
  async function ledgerOf(uow: UnitOfWork, projectId: string, actor: Actor) {
    const hex = hasher.hex(`${projectId} ${actor.id}`);
    const uuid = (at: number) => `${hex.slice(at, at + 8)}-0000-7000-8000-${hex.slice(at + 8, at + 20)}`;
    const sessionId = uuid(0);
    const found = await uow.get('select 1 as one from chains where chain_id = ?', [sessionId]);
    if (!found)
      await journal.openChains(uow, { sessionId, ledgerId: uuid(20), projectId, traceId: uuid(40) });
    return { sessionId, kind: 'ledger' as const };
  }

  const wanted = (change: Partial<NewItem> = {}): NewItem => ({
    kind: 'review',
    projectId: 'p1',
    requestedBy: agent,
    subject: { type: 'package', id: 'pkg_1' },
    digest: digestFor({ text: 'first' }),
    rule: 'package-review',
    title: 'Review pkg_1',
    risk: 'low',
    edits: false,
    ...change,
  });

  return {
    ...rig,
    jobs,
    inbox,
    openItem: (change?: Partial<NewItem>) => db.write((uow) => inbox.openItem(uow, wanted(change))),
    decide: (input: DecideInput) => db.write((uow) => inbox.decide(uow, input)),
    item: (itemId: string) => db.read((reader) => inbox.get(reader, itemId)),
    async story() {
      const { events } = await rig.feed.page({ types: ['inbox.*'], limit: 1000 });
      return events.map(({ event }) => event.event_type);
    },
  };
}
