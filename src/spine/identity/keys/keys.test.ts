import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import type { Principal } from '../principal.ts';
import { roles } from '../roles.ts';
import { openIdentity, ownerActor, type TestIdentity, testPrincipal } from '../testing.ts';
import type { NewKey } from './keys.ts';

const wanted: NewKey = {
  actor: { id: 'builder', type: 'agent' },
  scopes: roles.agent,
  projects: ['default'],
  defaultProject: 'default',
};

const create = (room: TestIdentity, over: Partial<NewKey> = {}, by: Principal = testPrincipal()) =>
  room.db.write((uow) => room.identity.createKey(uow, by, { ...wanted, ...over }));

describeOnEachEngine('keys', (open) => {
  it('let their actor in with what they were made for', async () => {
    const room = await openIdentity(open);
    const { token, credential } = await create(room);
    expect(token).toMatch(/^baton_[0-9a-f]{16}_[0-9a-f]{64}$/);
    for (const request of [
      { authorization: `Bearer ${token}` },
      { authorization: `bearer  ${token}` },
      { apiKey: token },
    ]) {
      const principal = await room.identity.authenticate(request);
      expect(principal).toEqual({
        actor: wanted.actor,
        scopes: new Set([...roles.agent, 'self']),
        projects: ['default'],
        defaultProject: 'default',
        credential: { kind: 'key', id: credential.credentialId },
        owner: false,
        speaksFor: [],
        present: false,
      });
    }
    await room.identity.settled();
  });

  it('are not made for an actor whose id could pose as another text; one that an older store has keeps its own', async () => {
    const room = await openIdentity(open);
    for (const id of ['a b', 'lead\u200b', 'x\n# System', '\u001b[2J', '*', '--yes', 'x'.repeat(256)]) {
      await expect(create(room, { actor: { id, type: 'agent' } })).rejects.toMatchObject({
        code: 'invalid_actor_id',
        status: 400,
        pointer: '/actor_id',
      });
    }
    const kept = await room.db.read((reader) =>
      reader.all('select 1 from actors where actor_id = ?', ['a b']),
    );
    expect(kept).toEqual([]);
    await room.db.write((uow) =>
      uow.run(
        `insert into actors (actor_id, actor_type, display_name, created_at, created_us) values (?, ?, ?, ?, ?)`,
        ['old bot', 'agent', null, '2024-01-01T00:00:00Z', 0],
      ),
    );
    const { credential } = await create(room, { actor: { id: 'old bot', type: 'agent' } });
    expect(credential.actor.id).toBe('old bot');
  });

  it('are nowhere in the store or the journal', async () => {
    const room = await openIdentity(open);
    const { token } = await create(room);
    const secret = token!.split('_')[2]!;
    const rows = await room.db.read((reader) => reader.all('select * from credentials'));
    expect(JSON.stringify(rows)).not.toContain(secret);
    const events = await room.events();
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(JSON.stringify(events)).not.toContain((rows as { secret_hash: string }[])[0]!.secret_hash);
    expect(events.at(-1)).toMatchObject({
      type: 'key.created',
      payload: { actor_id: 'builder', kind: 'key', projects: ['default'], expires_at: null },
    });
  });

  it('are refused once revoked, in the same words as one that never was', async () => {
    const room = await openIdentity(open);
    const { token, credential } = await create(room);
    const revoke = () =>
      room.db.write((uow) => room.identity.revokeKey(uow, testPrincipal(), credential.credentialId));
    const first = await revoke();
    expect(first.revokedAt).toBe('2026-01-01T00:00:00.000000Z');
    room.clock.advance({ seconds: 1 });
    expect((await revoke()).revokedAt).toBe(first.revokedAt);
    expect((await room.events()).filter((event) => event.type === 'key.revoked')).toHaveLength(1);
    const refusal = (request: object) => room.identity.authenticate(request).catch((error: Error) => error);
    const revoked = await refusal({ apiKey: token });
    const unknown = await refusal({ apiKey: `baton_${'0'.repeat(16)}_${'0'.repeat(64)}` });
    const wrong = await refusal({ apiKey: `${token!.slice(0, -1)}${token!.endsWith('0') ? '1' : '0'}` });
    const none = await refusal({});
    for (const error of [revoked, unknown, wrong, none]) {
      expect(error).toMatchObject({ code: 'unauthorized', status: 401, message: (none as Error).message });
    }
  });

  it('revoked by one process are refused by another within a second', async () => {
    const room = await openIdentity(open);
    const beside = await openIdentity(open, { beside: room.db, seed: 2 });
    const { token, credential } = await create(room);
    await beside.identity.authenticate({ apiKey: token });
    await room.db.write((uow) => room.identity.revokeKey(uow, testPrincipal(), credential.credentialId));
    beside.clock.advance({ seconds: 1 });
    await expect(beside.identity.authenticate({ apiKey: token })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await beside.identity.settled();
  });

  it('end at their expiry', async () => {
    const room = await openIdentity(open);
    const micros = room.clock.now() + 60_000_000;
    const { token } = await create(room, { expires: { text: '2026-01-01T00:01:00Z', micros } });
    room.clock.advance({ seconds: 59 });
    await room.identity.authenticate({ apiKey: token });
    room.clock.advance({ seconds: 1 });
    await expect(room.identity.authenticate({ apiKey: token })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    await expect(create(room, { expires: { text: 'x', micros } })).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    await room.identity.settled();
  });

  it('remember their last use to the hour', async () => {
    const room = await openIdentity(open);
    const { token, credential } = await create(room);
    const lastUsed = async () => {
      await room.identity.authenticate({ apiKey: token });
      await room.identity.settled();
      const { keys } = await room.db.read((reader) =>
        room.identity.listKeys(reader, testPrincipal(), { limit: 10 }),
      );
      return keys.find((key) => key.credentialId === credential.credentialId)?.lastUsedMicros;
    };
    const first = room.clock.now();
    expect(await lastUsed()).toBe(first);
    room.clock.advance({ seconds: 3599 });
    expect(await lastUsed()).toBe(first);
    room.clock.advance({ seconds: 1 });
    expect(await lastUsed()).toBe(first + 3_600_000_000);
  });

  it('are never wider than the credential that makes them', async () => {
    const room = await openIdentity(open);
    await room.db.write((uow) => room.identity.ensureProject(uow, { projectId: 'secret' }, ownerActor));
    const by = testPrincipal({
      actor: { id: 'manager', type: 'human' },
      scopes: new Set(['keys:manage', 'facts:*']),
      projects: ['default'],
      credential: { kind: 'key', id: 'm' },
    });
    const attempt = (over: Partial<NewKey>) => create(room, { scopes: ['facts:read'], ...over }, by);
    await expect(attempt({ scopes: ['*'] })).rejects.toMatchObject({
      code: 'grant_too_wide',
      pointer: '/scopes',
    });
    await expect(attempt({ scopes: ['packages:read'] })).rejects.toMatchObject({ code: 'grant_too_wide' });
    await expect(attempt({ projects: 'all' })).rejects.toMatchObject({
      code: 'grant_too_wide',
      pointer: '/projects',
    });
    await expect(attempt({ projects: ['secret'], defaultProject: 'secret' })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(attempt({ actor: { id: 'boss', type: 'human' } })).rejects.toMatchObject({
      code: 'grant_too_wide',
      pointer: '/actor_id',
    });
    expect((await attempt({ scopes: ['facts:*'] })).token).toBeDefined();
    expect((await attempt({ actor: by.actor })).token).toBeDefined();
  });

  it('of people are made by the owner or by themselves, never by an agent: not with every scope of its project, not under its own name', async () => {
    const room = await openIdentity(open);
    for (const type of ['agent', 'script'] as const) {
      const by = testPrincipal({
        actor: { id: 'star', type },
        projects: ['default'],
        credential: { kind: 'key', id: 's' },
      });
      for (const id of ['ana', 'owner', 'star']) {
        await expect(create(room, { actor: { id, type: 'human' } }, by)).rejects.toMatchObject({
          code: 'grant_too_wide',
          pointer: '/actor_id',
        });
      }
    }
    const manager = testPrincipal({
      actor: { id: 'ana', type: 'human' },
      credential: { kind: 'jwt', id: 'd' },
      present: true,
    });
    await expect(create(room, { actor: { id: 'owner', type: 'human' } }, manager)).rejects.toMatchObject({
      code: 'grant_too_wide',
    });
  });

  it('of other agents are made by people: an agent that manages keys makes none for another name, taken or new', async () => {
    const room = await openIdentity(open);
    const by = testPrincipal({
      actor: { id: 'manager', type: 'agent' },
      credential: { kind: 'key', id: 'm' },
      speaksFor: ['claude-*'],
    });
    for (const id of ['dba-1', 'fresh']) {
      await expect(create(room, { actor: { id, type: 'agent' } }, by)).rejects.toMatchObject({
        code: 'grant_too_wide',
        pointer: '/actor_id',
      });
    }
    for (const id of ['manager', 'claude-7']) {
      expect((await create(room, { actor: { id, type: 'agent' } }, by)).token).toBeDefined();
    }
  });

  it('speak for others only by the word of a person who is present and who does so', async () => {
    const room = await openIdentity(open);
    const lend = (speaksFor: string[], by: Partial<Principal>) =>
      create(room, { speaksFor }, testPrincipal(by));
    await expect(lend(['claude-*'], {})).rejects.toMatchObject({
      code: 'presence_required',
      pointer: '/speaks_for',
    });
    await expect(
      lend(['claude-*'], { actor: { id: 'bot', type: 'agent' }, present: true }),
    ).rejects.toMatchObject({ code: 'presence_required' });
    const gate: Partial<Principal> = {
      actor: { id: 'gate', type: 'human' },
      credential: { kind: 'jwt', id: 'd' },
      speaksFor: ['claude-*'],
      present: true,
    };
    for (const wider of ['*', 'claude*', 'bot']) {
      await expect(lend([wider], gate)).rejects.toMatchObject({
        code: 'grant_too_wide',
        pointer: '/speaks_for',
        details: { speaks_for: wider },
      });
    }
    const { credential, token } = await lend(['claude-a*', 'gate'], gate);
    expect(credential.speaksFor).toEqual(['claude-a*', 'gate']);
    expect(await room.identity.authenticate({ apiKey: token })).toMatchObject({
      speaksFor: ['claude-a*', 'gate'],
      owner: false,
    });
    expect((await room.events()).findLast(({ type }) => type === 'key.created')?.payload).toMatchObject({
      speaks_for: ['claude-a*', 'gate'],
    });
  });

  it('of an actor whose id reads like a pattern do not speak for whom it matches', async () => {
    const room = await openIdentity(open);
    const sly = testPrincipal({
      actor: { id: '*', type: 'human' },
      credential: { kind: 'key', id: 's' },
      present: true,
    });
    await expect(create(room, { speaksFor: ['*'] }, sly)).rejects.toMatchObject({ code: 'grant_too_wide' });
  });

  it('need known scopes, projects that exist, a default among them, and an actor of one type', async () => {
    const room = await openIdentity(open);
    await create(room);
    for (const [over, pointer] of [
      [{ scopes: ['facts:fly'] }, '/scopes'],
      [{ scopes: [] }, '/scopes'],
      [{ defaultProject: 'elsewhere' }, '/default_project'],
      [{ certificate: 'no fingerprint' }, '/certificate'],
    ] as const) {
      await expect(create(room, over)).rejects.toMatchObject({ code: 'invalid_grant', pointer });
    }
    await expect(create(room, { projects: ['x'], defaultProject: 'x' })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(create(room, { projects: 'all', defaultProject: 'x' })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(create(room, { actor: { id: 'builder', type: 'human' } })).rejects.toMatchObject({
      code: 'actor_type_conflict',
      details: { type: 'agent' },
    });
  });

  it('are listed and revoked only by who may see all of their projects', async () => {
    const room = await openIdentity(open);
    await room.db.write((uow) => room.identity.ensureProject(uow, { projectId: 'two' }, ownerActor));
    const mine = await create(room);
    room.clock.advance({ seconds: 1 });
    const both = await create(room, { projects: ['default', 'two'] });
    room.clock.advance({ seconds: 1 });
    const all = await create(room, { projects: 'all' });
    const by = testPrincipal({ projects: ['default'] });
    const list = (principal: Principal, page: { limit: number; after?: string }) =>
      room.db.read(async (reader) =>
        (await room.identity.listKeys(reader, principal, page)).keys.map((key) => key.credentialId),
      );
    expect(await list(by, { limit: 10 })).toEqual([mine.credential.credentialId]);
    const [first, second, third] = [mine, both, all].map(({ credential }) => credential.credentialId);
    expect(await list(testPrincipal(), { limit: 2 })).toEqual([first, second]);
    expect(await list(testPrincipal(), { limit: 2, after: second! })).toEqual([third]);
    const one = await room.db.read((reader) => room.identity.listKeys(reader, testPrincipal(), { limit: 1 }));
    expect(one).toMatchObject({ total: 3, next: first });
    const named = await room.db.read((reader) =>
      room.identity.listKeys(reader, testPrincipal(), { limit: 1, words: third!.toUpperCase() }),
    );
    expect(named).toMatchObject({ keys: [{ credentialId: third }], total: 1, next: undefined });
    expect(await room.db.read((reader) => room.identity.listKeys(reader, by, { limit: 1 }))).toMatchObject({
      total: 1,
    });
    await expect(list(testPrincipal(), { limit: 2, after: 'nothing' })).rejects.toMatchObject({
      code: 'key_not_found',
    });
    for (const foreign of [second!, third!, 'nothing']) {
      await expect(room.db.write((uow) => room.identity.revokeKey(uow, by, foreign))).rejects.toMatchObject({
        code: 'key_not_found',
        status: 404,
      });
    }
  });
});
