import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { ensureActor } from '../credentials/actor-store.ts';
import { insertCredential } from '../credentials/credential-store.ts';
import type { Principal } from '../principal.ts';
import { roles } from '../roles.ts';
import { openIdentity, ownerActor, type TestIdentity, testPrincipal } from '../testing.ts';

const HOUR = 3_600e6;

async function room(open: Parameters<typeof openIdentity>[0]) {
  const made = await openIdentity(open);
  const { db, clock, identity } = made;
  await db.write(async (uow) => {
    await identity.ensureProject(uow, { projectId: 'shop' }, ownerActor);
    await ensureActor(uow, ownerActor, clock.now());
    await insertCredential(uow, {
      actor: ownerActor,
      scopes: [...roles.owner],
      projects: 'all',
      defaultProject: 'default',
      speaksFor: ['*'],
      credentialId: 'owner-key',
      kind: 'owner',
      label: null,
      secretHash: 'hash',
      createdAt: '2026-01-01T00:00:00.000000Z',
      createdMicros: clock.now(),
      createdBy: 'owner',
      expiresAt: null,
      expiresMicros: null,
      revokedAt: null,
      lastUsedMicros: null,
    });
  });
  const owner = testPrincipal({ present: true, credential: { kind: 'owner', id: 'owner-key' } });
  const invite = (by: Principal = owner, actorId = 'maya', scopes: readonly string[] = roles.human) =>
    db.write((uow) =>
      identity.invitations.invite(uow, by, {
        grant: {
          actor: { id: actorId, type: 'human' },
          scopes,
          projects: ['shop'],
          defaultProject: 'shop',
          speaksFor: [],
        },
        displayName: 'Maya',
        lifetime: 72 * HOUR,
      }),
    );
  return { ...made, owner, invite };
}

const types = async (made: TestIdentity) => (await made.events()).map(({ type }) => type);

describeOnEachEngine('an invitation', (open) => {
  it('makes one person, once, however many use its link together', async () => {
    const made = await room(open);
    const { secret } = await made.invite();
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, () => made.identity.invitations.accept(secret, 'a good long passphrase')),
    );
    const [joined, ...others] = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(others).toEqual([]);
    for (const each of tries) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'invitation_invalid' });
    }
    const who = await made.identity.authenticate({ authorization: `Bearer ${joined?.token}` });
    expect(who).toMatchObject({ actor: { id: 'maya', type: 'human' }, projects: ['shop'], owner: false });
    expect([...who.scopes].sort()).toEqual([...roles.human, 'self'].sort());
    await made.identity.presence.login(who, 'a good long passphrase');
    const seen = await types(made);
    expect(seen.filter((type) => type.startsWith('invitation.'))).toEqual([
      'invitation.created',
      'invitation.accepted',
    ]);
    expect(seen).toEqual(expect.arrayContaining(['key.created', 'passphrase.set', 'login.started']));
  });

  it('hashes no more passphrases for one link than somebody who mistypes needs', async () => {
    const made = await room(open);
    const { secret } = await made.invite();
    const codes = (
      await Promise.allSettled(
        Array.from({ length: 30 }, () => made.identity.invitations.accept(secret, 'a good long passphrase')),
      )
    ).map((each) => (each.status === 'rejected' ? each.reason.code : 'accepted'));
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1);
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThanOrEqual(20);
  });

  it('is refused in the same words when it is invented, used, revoked or expired', async () => {
    const made = await room(open);
    const used = await made.invite();
    await made.identity.invitations.accept(used.secret, undefined);
    const revoked = await made.invite(made.owner, 'ben');
    await made.db.write((uow) =>
      made.identity.invitations.revoke(uow, made.owner, revoked.invitation.invitationId),
    );
    const expired = await made.invite(made.owner, 'carla');
    made.clock.advance({ seconds: 73 * 3600 });
    const invented = `baton_invite_${'0'.repeat(64)}`;
    const refusals = new Set<string>();
    for (const text of [used.secret, revoked.secret, expired.secret, invented, 'nonsense', '']) {
      for (const tried of [
        () => made.db.read((reader) => made.identity.invitations.look(reader, text)),
        () => made.identity.invitations.accept(text, 'a good long passphrase'),
      ]) {
        const error = await tried().catch((thrown: Error) => thrown);
        refusals.add(JSON.stringify({ ...(error as object), stack: '', message: (error as Error).message }));
      }
    }
    expect(refusals.size).toBe(1);
    expect([...refusals][0]).toContain('invitation_invalid');
    // What has expired does not keep the name.
    await made.invite(made.owner, 'carla');
  });

  it('takes a present owner, and gives no more than they hold', async () => {
    const made = await room(open);
    await expect(made.invite({ ...made.owner, present: false })).rejects.toMatchObject({
      code: 'presence_required',
    });
    const human = testPrincipal({
      actor: { id: 'ana', type: 'human' },
      credential: { kind: 'key', id: 'k' },
      present: true,
    });
    await expect(made.invite(human)).rejects.toMatchObject({ code: 'grant_too_wide' });
    const agent = { ...human, actor: { id: 'bot', type: 'agent' as const } };
    await expect(made.invite(agent)).rejects.toMatchObject({ code: 'presence_required' });
    const narrow = { ...made.owner, scopes: new Set(['keys:manage']) };
    await expect(made.invite(narrow)).rejects.toMatchObject({ code: 'grant_too_wide' });
  });

  it('is for somebody new, and there is one at a time', async () => {
    const made = await room(open);
    await expect(made.invite(made.owner, 'owner')).rejects.toMatchObject({ code: 'actor_taken' });
    await made.invite();
    await expect(made.invite()).rejects.toMatchObject({ code: 'actor_taken' });
    // Somebody of that name came in another way: the link does not become theirs.
    const { secret } = await made.invite(made.owner, 'ben');
    await made.db.write((uow) => ensureActor(uow, { id: 'ben', type: 'human' }, 1));
    await expect(made.identity.invitations.accept(secret, undefined)).rejects.toMatchObject({
      code: 'invitation_invalid',
    });
  });

  it('is worth nothing once its author’s key is gone, and a weak passphrase uses nothing up', async () => {
    const made = await room(open);
    const { secret } = await made.invite();
    await expect(made.identity.invitations.accept(secret, 'short')).rejects.toMatchObject({
      code: 'passphrase_weak',
    });
    await made.db.write((uow) =>
      uow.run("update credentials set revoked_at = 'now', revoked_us = 1 where credential_id = 'owner-key'"),
    );
    await expect(made.identity.invitations.accept(secret, 'a good long passphrase')).rejects.toMatchObject({
      code: 'invitation_invalid',
    });
    expect((await types(made)).filter((type) => type === 'key.created')).toEqual([]);
  });
});
