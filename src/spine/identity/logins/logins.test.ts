import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import type { Principal } from '../principal.ts';
import { openIdentity, type TestIdentity, testPrincipal } from '../testing.ts';

const HOUR = 3600;

describeOnEachEngine('dashboard sessions', (open) => {
  it('are the owner’s only if they come from the owner key, and speak for whom their credential speaks', async () => {
    const room = await openIdentity(open);
    const opened = async (by: Principal) => {
      const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, by));
      const { cookie } = await room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
      return room.identity.authenticate({ cookie: `baton_session=${cookie}`, safe: true });
    };
    expect(await opened(testPrincipal())).toMatchObject({ owner: true, speaksFor: ['*'] });
    const key = { kind: 'key', id: 'owner:pretender' } as const;
    expect(await opened(testPrincipal({ credential: key }))).toMatchObject({ owner: false, speaksFor: [] });
    expect(await opened(testPrincipal({ credential: key, speaksFor: ['bot'] }))).toMatchObject({
      owner: false,
      speaksFor: ['bot'],
    });
  });

  const link = async (room: TestIdentity, by = testPrincipal()) =>
    (await room.db.write((uow) => room.identity.logins.createLink(uow, by))).link;
  const openWith = (room: TestIdentity, text: string) =>
    room.db.write((uow) => room.identity.logins.openDashboard(uow, text));
  const signedIn = async (room: TestIdentity) => {
    const { cookie, login } = await openWith(room, await link(room));
    const csrfToken = login.csrfToken ?? '';
    return { cookie: `other=1; baton_session=${cookie}`, csrfToken, loginId: login.loginId };
  };

  it('open once by a link, also when two hurry', async () => {
    const room = await openIdentity(open);
    const text = await link(room);
    expect(text).toMatch(/^baton_link_[0-9a-f]{64}$/);
    const results = await Promise.allSettled([
      openWith(room, text),
      openWith(room, text),
      openWith(room, text),
    ]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    await expect(openWith(room, text)).rejects.toMatchObject({ code: 'login_link_invalid', status: 401 });
  });

  it('do not open by a link that is five minutes old, changed, or no link', async () => {
    const room = await openIdentity(open);
    const text = await link(room);
    for (const wrong of [
      '',
      'x',
      text.slice(1),
      `${text}0`,
      `baton_link_${'0'.repeat(64)}`,
      text.replace('link', 'login'),
    ]) {
      await expect(openWith(room, wrong)).rejects.toMatchObject({ code: 'login_link_invalid' });
    }
    await expect(room.identity.authenticate({ authorization: `Bearer ${text}` })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    room.clock.advance({ seconds: 300 });
    await expect(openWith(room, text)).rejects.toMatchObject({ code: 'login_link_invalid' });
  });

  it('act as who made the link, may read by cookie, and change only with the token that belongs to it', async () => {
    const room = await openIdentity(open);
    const { cookie, csrfToken, loginId } = await signedIn(room);
    const principal = await room.identity.authenticate({ cookie, safe: true });
    expect(principal).toMatchObject({
      actor: { id: 'owner' },
      projects: 'all',
      credential: { kind: 'dashboard', id: loginId },
    });
    expect(await room.identity.authenticate({ cookie, csrfToken })).toEqual(principal);
    const other = await signedIn(room);
    for (const wrong of [undefined, '', 'x', other.csrfToken]) {
      await expect(room.identity.authenticate({ cookie, csrfToken: wrong })).rejects.toMatchObject({
        code: 'csrf_failed',
        status: 403,
      });
    }
  });

  it('are not found by a cookie that is malformed, doubled, or a login token’s', async () => {
    const room = await openIdentity(open);
    const { cookie } = await signedIn(room);
    for (const wrong of [
      cookie.slice(0, -1),
      `${cookie}; ${cookie}`,
      `x${cookie.replace('other=1; ', '')}`,
      'baton_session=',
      '',
    ]) {
      await expect(room.identity.authenticate({ cookie: wrong, safe: true })).rejects.toMatchObject({
        code: 'unauthorized',
      });
    }
  });

  it('end after twelve idle hours, and after seven days whatever happens', async () => {
    const room = await openIdentity(open);
    const idle = await signedIn(room);
    const busy = await signedIn(room);
    const use = async ({ cookie }: { cookie: string }) => {
      await room.identity.authenticate({ cookie, safe: true });
      await room.identity.settled();
    };
    room.clock.advance({ seconds: 11 * HOUR });
    await use(busy);
    room.clock.advance({ seconds: HOUR });
    await expect(use(idle)).rejects.toMatchObject({ code: 'unauthorized' });
    for (let hours = 12; hours + 11 < 7 * 24; hours += 11) {
      await use(busy);
      room.clock.advance({ seconds: 11 * HOUR });
    }
    await use(busy);
    room.clock.advance({ seconds: 11 * HOUR });
    await expect(use(busy)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('end when left, and with the key they came from', async () => {
    const room = await openIdentity(open);
    const { cookie } = await signedIn(room);
    const principal = await room.identity.authenticate({ cookie, safe: true });
    await room.db.write((uow) => room.identity.logins.leave(uow, principal));
    await expect(room.identity.authenticate({ cookie, safe: true })).rejects.toMatchObject({
      code: 'unauthorized',
    });

    const { token, credential } = await room.db.write((uow) =>
      room.identity.createKey(uow, testPrincipal(), {
        actor: { id: 'ann', type: 'human' },
        scopes: ['dashboard:open'],
        projects: ['default'],
        defaultProject: 'default',
      }),
    );
    const ann = await room.identity.authenticate({ apiKey: token });
    const first = await openWith(room, await link(room, ann));
    const inDashboard = await room.identity.authenticate({
      cookie: `baton_session=${first.cookie}`,
      safe: true,
    });
    const second = await openWith(room, await link(room, inDashboard));
    await room.db.write((uow) => room.identity.revokeKey(uow, testPrincipal(), credential.credentialId));
    for (const session of [first, second]) {
      await expect(
        room.identity.authenticate({ cookie: `baton_session=${session.cookie}`, safe: true }),
      ).rejects.toMatchObject({ code: 'unauthorized' });
    }
    await room.identity.settled();
  });

  it('never outlive the key they came from', async () => {
    const room = await openIdentity(open);
    const { token } = await room.db.write((uow) =>
      room.identity.createKey(uow, testPrincipal(), {
        actor: { id: 'ann', type: 'human' },
        scopes: ['dashboard:open'],
        projects: ['default'],
        defaultProject: 'default',
        expires: { text: '2026-01-01T01:00:00Z', micros: room.clock.now() + HOUR * 1_000_000 },
      }),
    );
    const ann = await room.identity.authenticate({ apiKey: token });
    const { login } = await openWith(room, await link(room, ann));
    expect(login.expiresMicros).toBe(room.clock.now() + HOUR * 1_000_000);
    await room.identity.settled();
  });

  it('leave no secret in the store or the journal', async () => {
    const room = await openIdentity(open);
    const text = await link(room);
    const { cookie } = await openWith(room, text);
    const rows = JSON.stringify(await room.db.read((reader) => reader.all('select * from logins')));
    const events = JSON.stringify(await room.events());
    for (const secret of [text.slice('baton_link_'.length), cookie]) {
      expect(rows).not.toContain(secret);
      expect(events).not.toContain(secret);
    }
    expect((await room.events()).map((event) => event.type)).toEqual(
      expect.arrayContaining(['login.link_created', 'login.started']),
    );
  });
});
