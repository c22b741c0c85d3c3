import { expect, it } from 'vitest';
import { createIdentity } from '../identity/identity.ts';
import { identityMigrations } from '../identity/migrations.ts';
import type { Principal } from '../identity/principal.ts';
import { roles } from '../identity/roles.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { requireTaker } from './hand-over.ts';
import { agent, ana, ben, inboxTestMigrations, person, testInbox } from './testing.ts';
import { viewerOf } from './who-looks.ts';

const HOUR = 3_600_000_000;

describeOnEachEngine('putting an item aside', (open) => {
  async function rig() {
    const kit = testInbox(await open([...inboxTestMigrations, ...identityMigrations]));
    kit.inbox.register('review', { apply: 'rows', run: async () => undefined });
    const identity = createIdentity(kit);
    await kit.db.write((uow) => identity.ensureProject(uow, { projectId: 'p1' }, ana.actor));
    const waits = (principal: Principal, more: object = { mine: true }) =>
      kit.db.read(async (reader) =>
        (
          await kit.inbox.list(reader, {
            projects: 'all',
            state: 'open',
            viewer: viewerOf(principal),
            limit: 9,
            ...more,
          })
        ).map(({ itemId }) => itemId),
      );
    const aside = (itemId: string, what: { until: number } | { to: typeof ana.actor }, principal = ana) =>
      kit.db.write((uow) => kit.inbox.setAside(uow, itemId, principal, what));
    return { ...kit, identity, waits, aside };
  }

  it('hides it until the time from the one person, and from nobody else', async () => {
    const { openItem, waits, aside, clock, db, inbox, story } = await rig();
    const { itemId } = await openItem({ expires: clock.now() + 3 * HOUR });
    await aside(itemId, { until: clock.now() + HOUR });
    expect(await waits(ana)).toEqual([]);
    expect(await waits(ana, { aside: true })).toEqual([itemId]);
    expect(await waits(ben)).toEqual([itemId]);
    await db.write((uow) => inbox.bringBack(uow, itemId, ana));
    expect(await waits(ana)).toEqual([itemId]);
    await aside(itemId, { until: clock.now() + HOUR });
    clock.advance({ seconds: 3600 });
    expect(await waits(ana)).toEqual([itemId]);
    expect(await waits(ana, { aside: true })).toEqual([]);
    expect(await story()).toEqual([
      'inbox.opened',
      'inbox.set_aside',
      'inbox.brought_back',
      'inbox.set_aside',
    ]);
  });

  it('keeps nothing from expiring, so that it cannot be deferred past that', async () => {
    const { openItem, aside, clock } = await rig();
    const { itemId } = await openItem({ expires: clock.now() + HOUR });
    for (const until of [clock.now() + HOUR, clock.now(), clock.now() - 1]) {
      await expect(aside(itemId, { until })).rejects.toMatchObject({ code: 'deferred_too_far' });
    }
    await aside(itemId, { until: clock.now() + HOUR / 2 });
    clock.advance({ seconds: 3600 });
    await expect(aside(itemId, { until: clock.now() + 1_000_000 })).rejects.toMatchObject({
      code: 'item_expired',
    });
  });

  it('is only for what one may decide oneself', async () => {
    const { openItem, aside, clock } = await rig();
    const { itemId } = await openItem({ deciders: ['ben'] });
    await expect(aside(itemId, { until: clock.now() + HOUR })).rejects.toMatchObject({
      code: 'approver_required',
    });
    const own = await openItem({ requestedBy: ana.actor, subject: { type: 'package', id: 'own' } });
    await expect(aside(own.itemId, { to: ben.actor })).rejects.toMatchObject({ code: 'self_approval' });
  });

  it('hands it to another person, who gives it back or on', async () => {
    const { openItem, waits, aside, db, inbox } = await rig();
    const { itemId } = await openItem();
    await aside(itemId, { to: ben.actor });
    expect(await waits(ana)).toEqual([]);
    expect(await waits(ben)).toEqual([itemId]);
    const found = await db.read(async (reader) => inbox.asides(reader, [{ itemId } as never], 'ben'));
    expect(found).toMatchObject([{ actorId: 'ana', handedTo: 'ben' }]);
    await aside(itemId, { to: ana.actor }, ben);
    expect(await waits(ana)).toEqual([itemId]);
    expect(await waits(ben)).toEqual([]);
    expect(await waits(person('carla'))).toEqual([itemId]);
  });

  it('hands it only to a person who could decide it', async () => {
    const { openItem, db, inbox, clock, identity } = await rig();
    const item = await openItem({ deciders: ['ben', 'carla', 'dora'] });
    const named = (id: string) =>
      db.read((reader) => requireTaker(reader, { inbox, clock }, item, { from: ana.actor, to: id }));
    const owner: Principal = { ...ana, owner: true, credential: { kind: 'owner', id: 'owner' } };
    const key = (actorId: string, role: 'human' | 'reader' | 'agent', projects: 'all' | string[] = 'all') =>
      db.write((uow) =>
        identity.createKey(uow, owner, {
          actor: { id: actorId, type: role === 'agent' ? 'agent' : 'human' },
          scopes: roles[role],
          projects,
          defaultProject: 'p1',
        }),
      );
    await key('ben', 'human');
    await key('carla', 'reader');
    await key('dora', 'human', ['p1']);
    await key('eric', 'human');
    await key('robot', 'agent');
    expect(await named('ben')).toMatchObject({ id: 'ben' });
    expect(await named('dora')).toMatchObject({ id: 'dora' });
    for (const [who, reason] of [
      ['carla', 'forbidden'],
      ['eric', 'approver_required'],
      ['robot', 'unknown_person'],
      ['nobody', 'unknown_person'],
      ['ana', 'yourself'],
      [agent.id, 'unknown_person'],
    ] as const) {
      await expect(named(who)).rejects.toMatchObject({ code: 'cannot_hand_over', details: { reason } });
    }
  });
});
