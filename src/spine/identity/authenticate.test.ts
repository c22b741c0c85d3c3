import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BatonError } from '../../kernel/error.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { openIdentity, testPrincipal } from './testing.ts';

describeOnEachEngine('credentials of a request', (open) => {
  const makeKey = async (room: Awaited<ReturnType<typeof openIdentity>>, id: string) => {
    const { token } = await room.db.write((uow) =>
      room.identity.createKey(uow, testPrincipal(), {
        actor: { id, type: 'agent' },
        scopes: ['facts:read'],
        projects: ['default'],
        defaultProject: 'default',
      }),
    );
    return token!;
  };

  it('that contradict each other are refused as such', async () => {
    const room = await openIdentity(open);
    const [one, two] = [await makeKey(room, 'one'), await makeKey(room, 'two')];
    await expect(
      room.identity.authenticate({ authorization: `Bearer ${one}`, apiKey: two }),
    ).rejects.toMatchObject({ code: 'ambiguous_credentials', status: 400 });
    expect((await room.identity.authenticate({ authorization: `Bearer ${one}`, apiKey: one })).actor.id).toBe(
      'one',
    );
    expect((await room.identity.authenticate({ authorization: 'Basic eDp5', apiKey: two })).actor.id).toBe(
      'two',
    );
    await room.identity.settled();
  });

  it('are refused for every secret but the right one, however often that one was seen before', async () => {
    const room = await openIdentity(open);
    const token = await makeKey(room, 'one');
    const other = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    for (const apiKey of [token, token, other, token, other]) {
      const asked = room.identity.authenticate({ apiKey });
      if (apiKey === token) expect((await asked).actor.id).toBe('one');
      else await expect(asked).rejects.toMatchObject({ code: 'unauthorized' });
    }
    await room.identity.settled();
  });

  it('that are bad are not saved by a good one behind them', async () => {
    const room = await openIdentity(open);
    const { link } = await room.db.write((uow) => room.identity.logins.createLink(uow, testPrincipal()));
    const { cookie } = await room.db.write((uow) => room.identity.logins.openDashboard(uow, link));
    await expect(
      room.identity.authenticate({ apiKey: 'wrong', cookie: `baton_session=${cookie}`, safe: true }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('may be any garbage without breaking anything', async () => {
    const room = await openIdentity(open);
    const token = await makeKey(room, 'one');
    const garbage = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'Bearer',
        'Bearer ',
        'Bearer a.b.c',
        'Bearer ..',
        'Bearer null',
        `Bearer ${'a'.repeat(100_000)}`,
      ),
      fc.string().map((text) => `Bearer ${text}`),
      fc.string().map((text) => `Bearer baton_${text}`),
      fc
        .tuple(fc.base64String(), fc.base64String(), fc.base64String())
        .map((parts) => `Bearer ${parts.join('.')}`),
      fc.integer({ min: 0, max: token.length - 1 }).map((cut) => `Bearer ${token.slice(0, cut)}`),
      fc.nat(token.length - 1).map((at) => `Bearer ${token.slice(0, at)}g${token.slice(at + 1)}`),
      fc.string().map((text) => `baton_session=${text}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          { authorization: garbage, apiKey: garbage, cookie: garbage, csrfToken: garbage },
          { requiredKeys: [] },
        ),
        async (request) => {
          const fault = await room.identity.authenticate(request).catch((error: unknown) => error);
          expect(fault).toBeInstanceOf(BatonError);
          expect([400, 401]).toContain((fault as BatonError).status);
        },
      ),
      { numRuns: 150 },
    );
  });
});
