import { expect, it } from 'vitest';
import type { Call } from '../operations/handler.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { createIdentityHandlers } from './handlers.ts';
import { identityOperations } from './operations.ts';
import type { Principal } from './principal.ts';
import { isScopePattern } from './scopes.ts';
import { openIdentity, testPrincipal } from './testing.ts';

describeOnEachEngine('identity operations', (open) => {
  async function start() {
    const room = await openIdentity(open);
    const handlers = createIdentityHandlers(room.db, room.identity);
    const call = (input: object = {}, principal: Principal = testPrincipal()) =>
      ({
        input: { path: undefined, query: undefined, headers: undefined, body: undefined, ...input },
        document: undefined,
        principal,
        requestId: 'r',
        signal: new AbortController().signal,
      }) as unknown as Call<never>;
    return { ...room, handlers, call };
  }

  it('make, list and revoke a key that works meanwhile', async () => {
    const { handlers, call, identity, db } = await start();
    const made = await handlers['keys.create'](
      call({
        body: {
          actor_id: 'bot',
          actor_type: 'agent',
          display_name: 'The Bot',
          expires_at: '2026-06-01T02:00:00+02:00',
        },
      }),
    );
    const key = identityOperations['keys.create'].output.parse(made.body);
    expect(key).toMatchObject({
      actor_id: 'bot',
      projects: ['default'],
      default_project: 'default',
      expires_at: '2026-06-01T00:00:00.000000Z',
      created_by: 'owner',
    });
    const principal = await identity.authenticate({ apiKey: key.token });
    expect(principal.scopes.has('packages:write')).toBe(true);
    const me = await db.read((reader) => handlers['identity.whoami'](reader, call({}, principal)));
    expect(identityOperations['identity.whoami'].output.parse(me.body)).toMatchObject({
      actor_id: 'bot',
      actor_type: 'agent',
      display_name: 'The Bot',
      credential: { kind: 'key', id: key.key_id },
      present: false,
    });
    await identity.settled();
    const listed = await db.read((reader) => handlers['keys.list'](reader, call({ query: {} })));
    expect(identityOperations['keys.list'].output.parse(listed.body).keys).toHaveLength(1);
    expect(JSON.stringify(listed.body)).not.toContain(key.token);
    await db.write((uow) => handlers['keys.revoke'](uow, call({ path: { key_id: key.key_id } })));
    await expect(identity.authenticate({ apiKey: key.token })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('take roles, extra scopes, all projects, and refuse an expiry that is no instant', async () => {
    const { handlers, call } = await start();
    const create = async (over: object) =>
      identityOperations['keys.create'].output.parse(
        (await handlers['keys.create'](call({ body: { actor_id: 'bot', actor_type: 'agent', ...over } })))
          .body,
      );
    expect(await create({ role: 'reader', scopes: ['facts:write'], projects: ['*'] })).toMatchObject({
      projects: ['*'],
      default_project: 'default',
    });
    expect((await create({ scopes: ['facts:*'] })).scopes).toEqual(['facts:*']);
    await expect(create({ expires_at: 'tomorrow' })).rejects.toMatchObject({
      code: 'invalid_grant',
      pointer: '/expires_at',
    });
  });

  it('open the dashboard from a link and close it', async () => {
    const { handlers, call, identity, db } = await start();
    const { path, link } = identityOperations['identity.dashboard_link'].output.parse(
      (await handlers['identity.dashboard_link'](call())).body,
    );
    expect(path).toBe(`/sign-in#${link}`);
    const opened = await handlers['identity.dashboard_open'](call({ body: { link } }));
    const cookie = opened.headers?.['set-cookie'] ?? '';
    expect(cookie).toMatch(
      /^baton_session=[0-9a-f]{64}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    const { csrf_token: csrfToken } = identityOperations['identity.dashboard_open'].output.parse(opened.body);
    const principal = await identity.authenticate({ cookie: cookie.split(';')[0], csrfToken });
    const me = await db.read((reader) => handlers['identity.whoami'](reader, call({}, principal)));
    expect(me.body).toMatchObject({ present: false, passkeys: 0 });
    // The cookie alone reads this, and the cookie goes to every port of its host.
    expect(JSON.stringify(me.body)).not.toContain(csrfToken);
    const left = await db.write((uow) => handlers['identity.dashboard_leave'](uow, call({}, principal)));
    expect(left.headers?.['set-cookie']).toMatch(/^baton_session=; Path=\/; Max-Age=0/);
    await expect(identity.authenticate({ cookie: cookie.split(';')[0], csrfToken })).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('set a passphrase and prove presence with it', async () => {
    const { handlers, call, identity, db } = await start();
    const isSet = async () => {
      const me = await db.read((reader) => handlers['identity.whoami'](reader, call()));
      return identityOperations['identity.whoami'].output.parse(me.body).passphrase_set;
    };
    expect(await isSet()).toBe(false);
    await handlers['identity.passphrase_set'](call({ body: { passphrase: 'a long enough one' } }));
    expect(await isSet()).toBe(true);
    const { body } = await handlers['identity.login'](call({ body: { passphrase: 'a long enough one' } }));
    const { token, present_until } = identityOperations['identity.login'].output.parse(body);
    expect(present_until).toBe('2026-01-01T00:15:00.000000Z');
    expect((await identity.authenticate({ authorization: `Bearer ${token}` })).present).toBe(true);
  });

  it('ask only for scopes that exist', () => {
    for (const operation of Object.values(identityOperations)) {
      expect(operation.scope === 'open' || isScopePattern(operation.scope)).toBe(true);
    }
  });
});
