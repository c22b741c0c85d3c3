import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import type { Principal } from '../principal.ts';
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

  it('never comes with the link or the session: owner key, link, dashboard is not a person', async () => {
    const room = await openIdentity(open);
    const look = await dashboard(room);
    expect((await look()).present).toBe(false);
    await room.identity.presence.setPassphrase(testPrincipal(), passphrase);
    expect((await look()).present).toBe(false);
    const { token } = await room.identity.presence.login(await look(), passphrase);
    expect(token).toBeUndefined();
    expect((await look()).present).toBe(true);
    const fromPresent = await dashboard(room, await look());
    expect((await fromPresent()).present).toBe(false);
    room.clock.advance({ seconds: 900 });
    expect((await look()).present).toBe(false);
    await room.identity.settled();
  });

  it('ends everywhere else when the passphrase changes, and changes it without the current one', async () => {
    const room = await openIdentity(open);
    const [here, there] = [await dashboard(room), await dashboard(room)];
    await room.identity.presence.setPassphrase(await here(), passphrase);
    await room.identity.presence.login(await here(), passphrase);
    await room.identity.presence.login(await there(), passphrase);
    await expect(
      room.identity.presence.setPassphrase(await here(), 'another passphrase', 'a wrong one'),
    ).rejects.toMatchObject({ code: 'passphrase_wrong', pointer: '/current' });
    await room.identity.presence.setPassphrase(await here(), 'another passphrase');
    expect([(await here()).present, (await there()).present]).toEqual([true, false]);
    await room.identity.settled();
  });

  it('of the owner is set up by the owner’s own credential only, whoever else has that name', async () => {
    const room = await openIdentity(open);
    const namesake = testPrincipal({ scopes: new Set(['self']), credential: { kind: 'jwt', id: 'issuer' } });
    await expect(room.identity.presence.setPassphrase(namesake, passphrase)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await room.identity.presence.setPassphrase(testPrincipal(), passphrase);
    await expect(
      room.identity.presence.setPassphrase(namesake, 'another passphrase', passphrase),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is asked of whoever makes a person’s key, from the moment they can prove it', async () => {
    const room = await openIdentity(open);
    const make = (by: Principal, id: string, type: 'human' | 'agent') =>
      room.db.write((uow) =>
        room.identity.createKey(uow, by, {
          actor: { id, type },
          scopes: ['self'],
          projects: ['default'],
          defaultProject: 'default',
        }),
      );
    await make(testPrincipal(), 'ann', 'human');
    await room.identity.presence.setPassphrase(testPrincipal(), passphrase);
    await expect(make(testPrincipal(), 'bob', 'human')).rejects.toMatchObject({ code: 'presence_required' });
    await make(testPrincipal(), 'bot', 'agent');
    await make(testPrincipal({ present: true }), 'bob', 'human');
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
