import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import type { NewKey } from '../keys/keys.ts';
import type { Principal } from '../principal.ts';
import { openIdentity, type TestIdentity, testPrincipal } from '../testing.ts';

const HOUR = 3_600_000_000;
const UNAUTHORIZED = { code: 'unauthorized' };

const wanted = (over: Partial<NewKey> = {}): NewKey => ({
  actor: { id: 'ada', type: 'human' },
  scopes: ['*'],
  projects: ['default'],
  defaultProject: 'default',
  ...over,
});

describeOnEachEngine('what a credential makes', (open) => {
  async function made(room: TestIdentity, over: Partial<NewKey> = {}) {
    const { credential, token } = await room.db.write((uow) =>
      room.identity.createKey(uow, testPrincipal(), wanted(over)),
    );
    return { keyId: credential.credentialId, by: await room.identity.authenticate({ apiKey: token }) };
  }

  const revoke = (room: TestIdentity, keyId: string) =>
    room.db.write((uow) => room.identity.revokeKey(uow, testPrincipal(), keyId));

  /** Everything that a person's request leaves behind for later ones. */
  const deeds = (room: TestIdentity, by: Principal) => [
    () => room.db.write((uow) => room.identity.createKey(uow, by, wanted())),
    () => room.db.write((uow) => room.identity.logins.createLink(uow, by)),
    () => room.db.write((uow) => room.identity.logins.unlock(uow, by)),
    () => room.identity.presence.setPassphrase(by, 'four quiet green herons'),
  ];

  it('is nothing once it was revoked, whenever its request began', async () => {
    const room = await openIdentity(open);
    const { keyId, by } = await made(room);
    await revoke(room, keyId);
    for (const deed of deeds(room, by)) await expect(deed()).rejects.toMatchObject(UNAUTHORIZED);
  });

  it('is nothing once it has expired', async () => {
    const room = await openIdentity(open);
    const micros = room.clock.now() + HOUR;
    const { by } = await made(room, { expires: { text: '2031-01-01T00:00:00Z', micros } });
    room.clock.advance({ seconds: 3_600 });
    for (const deed of deeds(room, by)) await expect(deed()).rejects.toMatchObject(UNAUTHORIZED);
  });

  it('is nothing by a session that has ended, or whose key has', async () => {
    const room = await openIdentity(open);
    const { keyId, by } = await made(room);
    const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
    const { cookie } = await room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
    const unopened = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
    const session = await room.identity.authenticate({ cookie: `baton_session=${cookie}`, safe: true });
    await revoke(room, keyId);
    for (const deed of deeds(room, session)) await expect(deed()).rejects.toMatchObject(UNAUTHORIZED);
    await expect(
      room.db.write((uow) => room.identity.logins.openDashboard(uow, unopened.link)),
    ).rejects.toMatchObject({ code: 'login_link_invalid' });
  });

  it('ends with it, however the two hurry', async () => {
    const room = await openIdentity(open);
    const { keyId, by } = await made(room);
    const opened = async () => {
      const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
      return room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
    };
    const tries = [opened(), opened(), revoke(room, keyId), opened(), opened()];
    for (const each of await Promise.allSettled(tries)) {
      if (each.status === 'rejected' || !('cookie' in each.value)) continue;
      const cookie = `baton_session=${each.value.cookie}`;
      await expect(room.identity.authenticate({ cookie, safe: true })).rejects.toMatchObject(UNAUTHORIZED);
    }
  });

  it('never outlasts it: a key that ends makes only keys that end by then, also from the dashboard', async () => {
    const room = await openIdentity(open);
    const micros = room.clock.now() + HOUR;
    const ending = { text: '2031-01-01T00:00:00Z', micros };
    const { by } = await made(room, { expires: ending });
    const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
    const { cookie } = await room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
    const session = await room.identity.authenticate({ cookie: `baton_session=${cookie}`, safe: true });
    for (const maker of [by, session]) {
      const make = (over: Partial<NewKey>) =>
        room.db.write((uow) => room.identity.createKey(uow, maker, wanted(over)));
      const longer = { text: '2032-01-01T00:00:00Z', micros: micros + 1 };
      for (const over of [{}, { expires: longer }]) {
        await expect(make(over)).rejects.toMatchObject({ code: 'grant_too_wide', pointer: '/expires_at' });
      }
      expect((await make({ expires: ending })).credential.expiresMicros).toBe(micros);
    }
  });
});
