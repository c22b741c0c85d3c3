import { expect, it } from 'vitest';
import type { UnitOfWork } from '../../storage/database.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import type { Actor } from '../principal.ts';
import { openIdentity, ownerActor, type TestIdentity, testPrincipal } from '../testing.ts';
import { ownAgent } from './bound-agent.ts';
import type { NewSession, Session } from './session.ts';
import { requireSessionOwner, visibleSession } from './session-access.ts';
import { type SessionFilter, selectRefs, selectSession } from './session-store.ts';

const agent: Actor = { id: 'builder', type: 'agent' };
const start: NewSession = { projectId: 'default', actor: agent };

describeOnEachEngine('sessions', (open) => {
  const started = (room: TestIdentity, over: Partial<NewSession> = {}) =>
    room.db.write((uow) => room.identity.startSession(uow, { ...start, ...over }));

  it('keep everything they were started with', async () => {
    const room = await openIdentity(open);
    const parent = await started(room);
    const session = await started(room, {
      sessionId: '00000000-0000-0000-0000-000000000100',
      agent: ownAgent({ id: 'agent-7', type: 'agent' }),
      goal: 'Ship it',
      atlasId: 'com.example.ops',
      description: 'a day of work',
      parentSessionId: parent.sessionId,
      metadata: '{"n":1.0}',
    });
    const stored = await room.db.read((reader) => selectSession(reader, session.sessionId));
    expect(stored).toEqual(session);
    expect(stored).toMatchObject({
      sessionId: '00000000-0000-0000-0000-000000000100',
      status: 'active',
      standing: false,
      createdAt: '2026-01-01T00:00:00.000000Z',
      endedAt: null,
      metadata: '{"n":1.0}',
      subject: 'agent:builder',
    });
    expect(stored?.callsign).toMatch(/^[a-z]+-[a-z]+$/);
  });

  it('open a trace with exactly agent and goal when they have a goal, and a ledger event otherwise', async () => {
    const room = await openIdentity(open, {
      settings: { redact: (text) => text.replaceAll('s3cret', '[redacted]') },
    });
    const before = (await room.events()).length;
    const traced = await started(room, { goal: 'use s3cret' });
    const plain = await started(room);
    const [first, second, ...rest] = (await room.events()).slice(before);
    expect(rest).toEqual([]);
    expect(first).toEqual({
      type: 'session.started',
      chainId: traced.sessionId,
      projectId: 'default',
      payload: { agent_id: 'builder', goal: 'use [redacted]' },
    });
    expect(second).toMatchObject({ type: 'session.opened', chainId: plain.ledgerChainId });
    expect(second?.payload).toMatchObject({
      actor_id: 'builder',
      actor_type: 'agent',
      callsign: plain.callsign,
    });
  });

  it('become traced later by their first goal, once', async () => {
    const room = await openIdentity(open);
    const session = await started(room);
    const begin = (goal: string) =>
      room.db.write((uow) => room.identity.beginTrace(uow, session, { agent: ownAgent(agent), goal }));
    expect((await begin('first')).goal).toBe('first');
    expect((await begin('second')).goal).toBe('first');
    const trace = (await room.events()).filter((event) => event.chainId === session.sessionId);
    expect(trace.map((event) => event.type)).toEqual(['session.started']);
  });

  it('end once, with their length, and close their trace', async () => {
    const room = await openIdentity(open);
    const session = await started(room, { goal: 'g' });
    room.clock.advance({ seconds: 90, micros: 1999 });
    const end = () => room.db.write((uow) => room.identity.endSession(uow, session.sessionId, 'completed'));
    expect(await end()).toMatchObject({
      status: 'ended',
      endReason: 'completed',
      endedAt: '2026-01-01T00:01:30.001999Z',
    });
    expect((await room.events()).at(-1)).toMatchObject({
      type: 'session.ended',
      chainId: session.sessionId,
      payload: { reason: 'completed', duration_ms: 90_001 },
    });
    await expect(end()).rejects.toMatchObject({ code: 'session_already_ended', status: 409 });
    await expect(
      room.db.write((uow) => room.identity.endSession(uow, '00000000-0000-0000-0000-000000000000', 'error')),
    ).rejects.toMatchObject({ code: 'session_not_found', status: 404 });
  });

  it('without a goal end on their ledger', async () => {
    const room = await openIdentity(open);
    const session = await started(room);
    await room.db.write((uow) => room.identity.endSession(uow, session.sessionId, 'cancelled'));
    expect((await room.events()).at(-1)).toMatchObject({
      type: 'session.closed',
      chainId: session.ledgerChainId,
      payload: { reason: 'cancelled', duration_ms: 0 },
    });
  });

  it('refuse an id that is taken or no UUID, an unknown project, an archived one, a foreign parent', async () => {
    const room = await openIdentity(open);
    const first = await started(room);
    await room.db.write(async (uow) => {
      await room.identity.ensureProject(uow, { projectId: 'other' }, ownerActor);
      await room.identity.ensureProject(uow, { projectId: 'old' }, ownerActor);
      await room.identity.archiveProject(uow, 'old', ownerActor);
    });
    await expect(started(room, { sessionId: first.sessionId })).rejects.toMatchObject({
      code: 'session_already_exists',
    });
    await expect(started(room, { sessionId: 'mine' })).rejects.toMatchObject({ code: 'invalid_session_id' });
    await expect(started(room, { projectId: 'nowhere' })).rejects.toMatchObject({
      code: 'project_not_found',
    });
    await expect(started(room, { projectId: 'old' })).rejects.toMatchObject({ code: 'project_archived' });
    await expect(
      started(room, { projectId: 'other', parentSessionId: first.sessionId }),
    ).rejects.toMatchObject({ code: 'session_not_found', pointer: '/parent_session_id' });
  });

  it('have one standing session for each project and actor, also when many ask at once', async () => {
    const room = await openIdentity(open);
    const ask = (actor: Actor) =>
      room.db.write((uow: UnitOfWork) => room.identity.standingSession(uow, 'default', actor));
    const found = await Promise.all(Array.from({ length: 12 }, () => ask(agent)));
    expect(new Set(found.map((session) => session.sessionId)).size).toBe(1);
    expect((await ask({ id: 'builder', type: 'script' })).sessionId).not.toBe(found[0]?.sessionId);
    const stored = await room.db.read((reader) => room.identity.getSession(reader, found[0]!.sessionId));
    expect(stored).toMatchObject({ standing: true, callsign: null, rootSpanId: found[0]!.rootSpanId });
    const opened = (await room.events()).filter(
      (event) => event.payload.actor_id === 'builder' && event.payload.actor_type === 'agent',
    );
    expect(opened).toHaveLength(1);
    await expect(
      room.db.write((uow) => room.identity.endSession(uow, found[0]!.sessionId, 'completed')),
    ).rejects.toMatchObject({ code: 'session_stands' });
    await expect(
      room.db.write((uow) => room.identity.standingSession(uow, 'nowhere', agent)),
    ).rejects.toMatchObject({ code: 'project_not_found' });
  });

  it('remember no standing session that was never committed', async () => {
    const room = await openIdentity(open);
    let lost: string | undefined;
    const failed = room.db.write(async (uow) => {
      lost = (await room.identity.standingSession(uow, 'default', agent)).sessionId;
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    const { sessionId } = await room.db.write((uow) => room.identity.standingSession(uow, 'default', agent));
    expect(sessionId).not.toBe(lost);
    expect((await room.db.read((reader) => room.identity.getSession(reader, sessionId))).standing).toBe(true);
  });

  it('are found again by another system’s id, also when many see it first', async () => {
    const room = await openIdentity(open);
    const ref = { projectId: 'default', scheme: 'a2a.context', value: 'ctx-1' };
    const see = () => room.db.write((uow) => room.identity.sessionForRef(uow, ref, { actor: agent }));
    const found = await Promise.all(Array.from({ length: 8 }, see));
    const ids = new Set(found.map((session) => session.sessionId));
    expect(ids.size).toBe(1);
    const refs = await room.db.read((reader) => selectRefs(reader, [...ids][0]!));
    expect(refs).toEqual([{ scheme: 'a2a.context', value: 'ctx-1' }]);
    await room.db.write((uow) => room.identity.ensureProject(uow, { projectId: 'other' }, ownerActor));
    const elsewhere = await room.db.write((uow) =>
      room.identity.sessionForRef(uow, { ...ref, projectId: 'other' }, { actor: agent }),
    );
    expect(ids.has(elsewhere.sessionId)).toBe(false);
  });

  it('are found by callsign: the active one, else the latest', async () => {
    const room = await openIdentity(open);
    const name = 'coral-heron';
    const find = () => room.db.read((reader) => room.identity.findByCallsign(reader, 'default', name));
    const first = await started(room, { callsign: name });
    room.clock.advance({ seconds: 1 });
    const second = await started(room, { callsign: name });
    expect((await find())?.sessionId).toBe(second.sessionId);
    await room.db.write((uow) => room.identity.endSession(uow, second.sessionId, 'completed'));
    expect((await find())?.sessionId).toBe(first.sessionId);
    await room.db.write((uow) => room.identity.endSession(uow, first.sessionId, 'completed'));
    expect((await find())?.sessionId).toBe(second.sessionId);
  });

  it('never share a callsign while active', async () => {
    const room = await openIdentity(open);
    const names = await room.db.write(async (uow) => {
      const all: (string | null)[] = [];
      for (let i = 0; i < 150; i++) all.push((await room.identity.startSession(uow, start)).callsign);
      return all;
    });
    expect(new Set(names).size).toBe(150);
  });

  it('are listed newest first, without standing ones', async () => {
    const room = await openIdentity(open);
    const all: Session[] = [];
    for (let i = 0; i < 5; i++) {
      all.push(await started(room));
      room.clock.advance({ seconds: 1 });
    }
    await room.db.write((uow) => room.identity.endSession(uow, all[1]!.sessionId, 'completed'));
    const list = (filter: SessionFilter) =>
      room.db.read((reader) => room.identity.listSessions(reader, 'default', filter));
    const page = await list({ limit: 2, offset: 1 });
    expect(page.total).toBe(5);
    expect(page.sessions.map((session) => session.sessionId)).toEqual([all[3]!.sessionId, all[2]!.sessionId]);
    expect((await list({ status: 'ended', limit: 9, offset: 0 })).sessions.map((s) => s.sessionId)).toEqual([
      all[1]!.sessionId,
    ]);
  });

  it('do not exist for who cannot see their project, and are refused openly to another actor inside it', async () => {
    const room = await openIdentity(open);
    const session = await started(room);
    const stranger = testPrincipal({ projects: ['elsewhere'], scopes: new Set(['sessions:read']) });
    const colleague = testPrincipal({
      actor: { id: 'other', type: 'agent' },
      scopes: new Set(['sessions:read']),
      projects: ['default'],
      credential: { kind: 'key', id: 'k' },
    });
    const self = { ...colleague, actor: agent };
    const see = (principal: typeof stranger) =>
      room.db.read((reader) => visibleSession(reader, principal, session.sessionId));
    await expect(see(stranger)).rejects.toMatchObject({ code: 'session_not_found', status: 404 });
    expect((await see(colleague)).sessionId).toBe(session.sessionId);
    expect(() => requireSessionOwner(colleague, session)).toThrow(
      expect.objectContaining({ code: 'session_not_owned', status: 403 }),
    );
    expect(() => requireSessionOwner(self, session)).not.toThrow();
    expect(() => requireSessionOwner(testPrincipal(), session)).not.toThrow();
    expect(() =>
      requireSessionOwner({ ...self, actor: { id: 'builder', type: 'script' } }, session),
    ).toThrow();
  });
});
