import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { openIdentity, type TestIdentity, testPrincipal } from '../testing.ts';

const passphrase = 'four quiet green herons';

describeOnEachEngine('presence', (open) => {
  const dashboard = async (room: TestIdentity, by = testPrincipal()) => {
    const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
    const { cookie } = await room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
    return () => room.identity.authenticate({ cookie: `baton_session=${cookie}`, safe: true });
  };

  it('is what a passphrase gives a key, for 15 minutes', async () => {
    const room = await openIdentity(open);
    const owner = testPrincipal();
    await room.identity.presence.setPassphrase(owner, passphrase);
    await expect(room.identity.presence.login(owner, 'four quiet green herons!')).rejects.toMatchObject({
      code: 'passphrase_wrong',
      status: 401,
    });
    const { token, presentUntil } = await room.identity.presence.login(owner, passphrase.normalize('NFD'));
    expect(presentUntil).toBe(room.clock.now() + 900_000_000);
    const principal = await room.identity.authenticate({ authorization: `Bearer ${token}` });
    expect(principal).toMatchObject({ actor: owner.actor, present: true, credential: { kind: 'login' } });
    room.clock.advance({ seconds: 900 });
    await expect(room.identity.authenticate({ authorization: `Bearer ${token}` })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await room.identity.settled();
  });

  it('comes with the dashboard only until a passphrase is set; then it must be unlocked', async () => {
    const room = await openIdentity(open);
    const look = await dashboard(room);
    expect((await look()).present).toBe(true);
    await room.identity.presence.setPassphrase(testPrincipal(), passphrase);
    expect((await look()).present).toBe(false);
    const { token } = await room.identity.presence.login(await look(), passphrase);
    expect(token).toBeUndefined();
    expect((await look()).present).toBe(true);
    room.clock.advance({ seconds: 900 });
    expect((await look()).present).toBe(false);
    await room.identity.settled();
  });

  it('is never an agent’s', async () => {
    const room = await openIdentity(open);
    const agent = testPrincipal({
      actor: { id: 'bot', type: 'agent' },
      credential: { kind: 'key', id: 'k' },
    });
    expect((await (await dashboard(room, agent))()).present).toBe(false);
    await expect(room.identity.presence.setPassphrase(agent, passphrase)).rejects.toMatchObject({
      code: 'presence_required',
    });
    await expect(room.identity.presence.login(agent, passphrase)).rejects.toMatchObject({
      code: 'presence_required',
    });
  });

  it('needs a passphrase of some length, and the current one to change it', async () => {
    const room = await openIdentity(open);
    const owner = testPrincipal();
    await expect(room.identity.presence.setPassphrase(owner, 'short')).rejects.toMatchObject({
      code: 'passphrase_weak',
    });
    await expect(room.identity.presence.login(owner, passphrase)).rejects.toMatchObject({
      code: 'passphrase_wrong',
    });
    await room.identity.presence.setPassphrase(owner, passphrase);
    for (const wrong of [undefined, 'not the right one']) {
      await expect(
        room.identity.presence.setPassphrase(owner, 'another passphrase', wrong),
      ).rejects.toMatchObject({ code: 'passphrase_wrong', pointer: '/current' });
    }
    await room.identity.presence.setPassphrase(owner, 'another passphrase', passphrase);
    await expect(room.identity.presence.login(owner, passphrase)).rejects.toMatchObject({
      code: 'passphrase_wrong',
    });
    await room.identity.presence.login(owner, 'another passphrase');
    const events = await room.events();
    expect(
      events.filter((event) => event.type === 'passphrase.set').map((event) => event.payload.first),
    ).toEqual([true, false]);
    expect(JSON.stringify(events)).not.toContain(passphrase);
  });

  it('cannot be guessed: ten attempts in a quarter of an hour', async () => {
    const room = await openIdentity(open);
    const owner = testPrincipal();
    await room.identity.presence.setPassphrase(owner, passphrase);
    for (let i = 0; i < 9; i++) {
      await expect(room.identity.presence.login(owner, `guess number ${i}`)).rejects.toMatchObject({
        code: 'passphrase_wrong',
      });
    }
    await expect(room.identity.presence.login(owner, passphrase)).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
    });
  });
});
