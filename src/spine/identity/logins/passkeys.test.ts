import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import type { Principal } from '../principal.ts';
import { openIdentity, type TestIdentity, testPrincipal } from '../testing.ts';
import { relyingPartyOf } from './relying-party.ts';
import { type Cheats, softAuthenticator } from './testing-authenticator.ts';

const ORIGIN = 'http://localhost:7373';
const passphrase = 'four quiet green herons';

describeOnEachEngine('passkeys', (open) => {
  const dashboard = async (room: TestIdentity, by: Principal = testPrincipal()) => {
    const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
    const { cookie } = await room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
    return () => room.identity.authenticate({ cookie: `baton_session=${cookie}`, safe: true });
  };
  const served = async () => {
    const room = await openIdentity(open);
    room.identity.passkeys.servedAt([ORIGIN, 'https://baton.example.org']);
    return room;
  };
  const withPasskey = async () => {
    const room = await served();
    const look = await dashboard(room);
    const device = softAuthenticator(ORIGIN);
    const options = await room.identity.passkeys.startRegistration(await look(), ORIGIN);
    await room.identity.passkeys.register(await look(), device.create(options), 'Laptop');
    return { room, look, device };
  };

  it('are set up first by the person, and then prove presence in that session for 15 minutes', async () => {
    const { room, look, device } = await withPasskey();
    expect((await look()).present).toBe(false);
    const options = await room.identity.passkeys.startProof(await look(), ORIGIN);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const { presentUntil } = await room.identity.passkeys.prove(await look(), device.get(options));
    expect(presentUntil).toBe(room.clock.now() + 900_000_000);
    expect((await look()).present).toBe(true);
    const other = await dashboard(room);
    expect((await other()).present).toBe(false);
    room.clock.advance({ seconds: 900 });
    expect((await look()).present).toBe(false);
    await room.identity.settled();
    const types = (await room.events()).map((event) => event.type);
    expect(types).toEqual(expect.arrayContaining(['passkey.registered', 'login.unlocked']));
  });

  it('cannot be added by an agent that holds the owner key once the person has set anything up', async () => {
    const { room } = await withPasskey();
    const thief = await dashboard(room);
    await expect(room.identity.passkeys.startRegistration(await thief(), ORIGIN)).rejects.toMatchObject({
      code: 'presence_required',
    });
    await expect(room.identity.presence.setPassphrase(await thief(), passphrase)).rejects.toMatchObject({
      code: 'presence_required',
    });
    await expect(room.identity.presence.setPassphrase(testPrincipal(), passphrase)).rejects.toMatchObject({
      code: 'presence_required',
    });
  });

  it('and a passphrase are not both first: of two that hurry, one is refused', async () => {
    const room = await served();
    const look = await dashboard(room);
    const options = await room.identity.passkeys.startRegistration(await look(), ORIGIN);
    const results = await Promise.allSettled([
      room.identity.passkeys.register(await look(), softAuthenticator(ORIGIN).create(options)),
      room.identity.presence.setPassphrase(testPrincipal(), passphrase),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each<[string, Cheats]>([
    ['of a page on another port of the same machine', { origin: 'http://localhost:9999' }],
    ['of a page at the address instead of the name', { origin: 'http://127.0.0.1:7373' }],
    ['of a page at another of our own names', { origin: 'https://baton.example.org' }],
    ['of another site', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['without the person being verified', { userVerified: false }],
    ['from within a frame', { crossOrigin: true }],
    ['that is a registration', { type: 'webauthn.create' }],
    ['signed by another key', { foreignKey: true }],
    ['with a counter that went back', { counter: 1 }],
    ['with a counter that stayed', { counter: 2 }],
    ['with no counter after there was one', { counter: 0 }],
  ])('refuse an answer %s', async (_, cheats) => {
    const { room, look, device } = await withPasskey();
    const first = await room.identity.passkeys.startProof(await look(), ORIGIN);
    await room.identity.passkeys.prove(await look(), device.get(first));
    room.clock.advance({ seconds: 900 });
    const options = await room.identity.passkeys.startProof(await look(), ORIGIN);
    await expect(
      room.identity.passkeys.prove(await look(), device.get(options, cheats)),
    ).rejects.toMatchObject({ code: 'passkey_refused', status: 401 });
    expect((await look()).present).toBe(false);
    await room.identity.settled();
  });

  it.each<[string, Cheats]>([
    ['of a page on another port', { origin: 'http://localhost:9999' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['without the person being verified', { userVerified: false }],
    ['from within a frame', { crossOrigin: true }],
  ])('refuse a registration %s', async (_, cheats) => {
    const room = await served();
    const look = await dashboard(room);
    const options = await room.identity.passkeys.startRegistration(await look(), ORIGIN);
    await expect(
      room.identity.passkeys.register(await look(), softAuthenticator(ORIGIN).create(options, cheats)),
    ).rejects.toMatchObject({ code: 'passkey_refused' });
    expect(await room.db.read((reader) => room.identity.passkeys.list(reader, testPrincipal()))).toEqual([]);
  });

  it('take an answer once, also when it is sent twice at once', async () => {
    const { room, look, device } = await withPasskey();
    const me = await look();
    const answer = device.get(await room.identity.passkeys.startProof(me, ORIGIN));
    const both = await Promise.allSettled([
      room.identity.passkeys.prove(me, answer),
      room.identity.passkeys.prove(me, answer),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(room.identity.passkeys.prove(me, answer)).rejects.toMatchObject({ code: 'passkey_refused' });
    await room.identity.settled();
  });

  it('use a challenge up by a wrong answer, and give it no second life', async () => {
    const { room, look, device } = await withPasskey();
    const options = await room.identity.passkeys.startProof(await look(), ORIGIN);
    const wrong = device.get(options, { foreignKey: true });
    await expect(room.identity.passkeys.prove(await look(), wrong)).rejects.toMatchObject({
      code: 'passkey_refused',
    });
    await expect(room.identity.passkeys.prove(await look(), device.get(options))).rejects.toMatchObject({
      code: 'passkey_refused',
    });
  });

  it('bind a challenge to its session, its purpose and five minutes', async () => {
    const { room, look, device } = await withPasskey();
    const thief = await dashboard(room);
    const options = await room.identity.passkeys.startProof(await look(), ORIGIN);
    await expect(room.identity.passkeys.prove(await thief(), device.get(options))).rejects.toMatchObject({
      code: 'passkey_refused',
    });
    const mine = await room.identity.passkeys.startProof(await thief(), ORIGIN);
    await expect(room.identity.passkeys.prove(await look(), device.get(mine))).rejects.toMatchObject({
      code: 'passkey_refused',
    });
    const late = await room.identity.passkeys.startProof(await look(), ORIGIN);
    room.clock.advance({ seconds: 300 });
    await expect(room.identity.passkeys.prove(await look(), device.get(late))).rejects.toMatchObject({
      code: 'passkey_refused',
    });
    await room.identity.settled();
  });

  it('prove one person only', async () => {
    const { room, device } = await withPasskey();
    const ann = testPrincipal({
      actor: { id: 'ann', type: 'human' },
      credential: { kind: 'key', id: 'k' },
    });
    const annsLook = await dashboard(room, ann);
    await expect(room.identity.passkeys.startProof(await annsLook(), ORIGIN)).rejects.toMatchObject({
      code: 'passkey_not_found',
    });
    const hers = softAuthenticator(ORIGIN);
    const options = await room.identity.passkeys.startRegistration(await annsLook(), ORIGIN);
    await room.identity.passkeys.register(await annsLook(), hers.create(options));
    const challenge = await room.identity.passkeys.startProof(await annsLook(), ORIGIN);
    await expect(room.identity.passkeys.prove(await annsLook(), device.get(challenge))).rejects.toMatchObject(
      { code: 'passkey_refused' },
    );
  });

  it('are for people in a dashboard that was opened by name', async () => {
    const room = await served();
    const look = await dashboard(room);
    for (const origin of [undefined, 'http://127.0.0.1:7373', 'http://localhost:9999', 'null', 'x']) {
      await expect(room.identity.passkeys.startRegistration(await look(), origin)).rejects.toMatchObject({
        code: 'passkey_unavailable',
        next: expect.stringContaining(ORIGIN),
      });
    }
    await expect(room.identity.passkeys.startRegistration(testPrincipal(), ORIGIN)).rejects.toMatchObject({
      code: 'passkey_unavailable',
    });
    const bot = testPrincipal({ actor: { id: 'bot', type: 'agent' }, credential: { kind: 'key', id: 'k' } });
    const botsLook = await dashboard(room, bot);
    await expect(room.identity.passkeys.startRegistration(await botsLook(), ORIGIN)).rejects.toMatchObject({
      code: 'presence_required',
    });
  });

  it('are removed by a present person, and never the last proof there is', async () => {
    const { room, look, device } = await withPasskey();
    const remove = (by: Principal) =>
      room.db.write((uow) => room.identity.passkeys.remove(uow, by, device.id));
    await expect(remove(await look())).rejects.toMatchObject({ code: 'presence_required' });
    const options = await room.identity.passkeys.startProof(await look(), ORIGIN);
    await room.identity.passkeys.prove(await look(), device.get(options));
    await expect(remove(await look())).rejects.toMatchObject({ code: 'last_passkey_stays' });
    await room.identity.presence.setPassphrase(await look(), passphrase);
    await remove(await look());
    await expect(remove(await look())).rejects.toMatchObject({ code: 'passkey_not_found' });
    await room.identity.settled();
  });

  it('are gone after a reset on the machine, with every login, and the journal says so', async () => {
    const { room, look, device } = await withPasskey();
    const challenge = await room.identity.passkeys.startProof(await look(), ORIGIN);
    const before = await look();
    await expect(room.identity.resetPresence('nobody', passphrase)).rejects.toMatchObject({
      code: 'person_not_found',
    });
    await expect(room.identity.resetPresence('owner', 'short')).rejects.toMatchObject({
      code: 'passphrase_weak',
    });
    expect(await room.identity.resetPresence('owner', passphrase)).toEqual({
      passkeysRemoved: 1,
      loginsEnded: 1,
    });
    await expect(look()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(room.identity.passkeys.prove(before, device.get(challenge))).rejects.toMatchObject({
      code: 'passkey_refused',
    });
    await room.identity.presence.login(testPrincipal(), passphrase);
    const reset = (await room.events()).find((event) => event.type === 'passphrase.reset');
    expect(reset?.payload).toEqual({ actor_id: 'owner', passkeys_removed: 1, logins_ended: 1 });
  });
});

describe('a relying party', () => {
  it('is only ever one of the addresses that the server knows to be its own', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.constant(ORIGIN)), (claimed) => {
        const party = relyingPartyOf([ORIGIN], claimed);
        expect(party).toEqual(claimed === ORIGIN ? { origin: ORIGIN, rpId: 'localhost' } : undefined);
      }),
    );
  });
});
