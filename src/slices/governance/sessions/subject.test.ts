import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import type { Policy } from '../atlases/schema.ts';
import { ALLOW, itemWorlds, type Who, type World } from '../testing/world.ts';

const only = (...agents: string[]): Policy => ({ policy_id: 'some', type: 'allow', conditions: { agents } });

describeOnEachEngine('the agent that a policy judges', (open) => {
  const openWorld = itemWorlds(open);
  const start = (world: World, agent_id: string, as: Who, parts: object = {}) =>
    world.send('POST', '/v1/sessions', { agent_id, goal: 'g', ...parts }, { as });

  const asAgent = (agent_id: string, session_id: string) => ({ requester: { agent_id, session_id } });

  async function run(world: World, sessionId: string, agentId: string, as: Who): Promise<string> {
    const resolved = await world.resolve(sessionId, asAgent(agentId, sessionId), as);
    if (resolved.status !== 200) return resolved.body.error.code;
    const { resolution_id } = resolved.body;
    const call = { resolution_id, action_id: 'item.get', parameters: { id: '1' } };
    const { body } = await world.execute(sessionId, call, asAgent(agentId, sessionId), as);
    return body.error?.code ?? body.status;
  }

  it('is not who the caller says it is: the key of an intern opens no session of the DBA', async () => {
    const world = await openWorld([only('dba-*')]);
    for (const agent of ['dba-1', 'bot/sub', 'rival', 'BOT']) {
      const refused = await start(world, agent, 'bot');
      expect([agent, refused.status, refused.body.error.code]).toEqual([agent, 403, 'SESSION_NOT_OWNED']);
      expect(refused.body.error.message).toContain('does not speak for');
      expect(refused.body.error.details).toMatchObject({ named: agent, speaks_for: [] });
    }
    expect((await start(world, 'bot', 'bot')).status).toBe(201);
  });

  it('is not who a request says it is, in a session that has an agent or gets one by it', async () => {
    const world = await openWorld();
    const own = (await start(world, 'bot', 'bot')).body.session_id;
    expect((await world.resolve(own, asAgent('dba-1', own))).body.error.code).toBe('SESSION_NOT_OWNED');
    const bare = await world.db.write((uow) =>
      world.identity.startSession(uow, { projectId: 'default', actor: { id: 'bot', type: 'agent' } }),
    );
    const { sessionId } = bare;
    expect((await world.resolve(sessionId, asAgent('dba-1', sessionId))).status).toBe(403);
    const call = { resolution_id: world.ids(), action_id: 'item.get' };
    expect((await world.execute(sessionId, call, asAgent('dba-1', sessionId))).status).toBe(403);
    expect((await world.resolve(sessionId, asAgent('bot', sessionId))).status).toBe(200);
  });

  it('may be one that the key speaks for; the ledger of the session has both names', async () => {
    const world = await openWorld([only('claude-7')]);
    const { status, body } = await start(world, 'claude-7', 'hook');
    expect(status).toBe(201);
    expect(body).toMatchObject({ agent_id: 'claude-7', actor: { id: 'hook', type: 'script' } });
    expect(await run(world, body.session_id, 'claude-7', 'hook')).toBe('success');
    expect((await start(world, 'rival', 'hook')).status).toBe(403);
    const events = await world.db.read((reader) =>
      reader.all<{ payload: string }>("select payload from events where event_type = 'session.spoken_for'"),
    );
    expect(events.map(({ payload }) => JSON.parse(payload))).toEqual([
      {
        session_id: body.session_id,
        agent_id: 'claude-7',
        bound_agent: 'claude-7',
        actor_id: 'hook',
        actor_type: 'script',
      },
    ]);
    expect((await world.trace(body.session_id))[0]?.payload).toEqual({ agent_id: 'claude-7', goal: 'g' });
  });

  it('is asked of the key at every request: another key of the same actor does not speak for it', async () => {
    const world = await openWorld();
    const session = (await start(world, 'claude-7', 'hook')).body.session_id;
    expect(await run(world, session, 'claude-7', 'bareHook')).toBe('SESSION_NOT_OWNED');
    expect(await run(world, session, 'claude-7', 'rival')).toBe('SESSION_NOT_OWNED');
    expect(await run(world, session, 'claude-7', 'hook')).toBe('success');
  });

  it('has one limit, however many names, sessions and subagents it invents', async () => {
    const world = await openWorld([
      ALLOW,
      {
        policy_id: 'two',
        type: 'rate_limit',
        parameters: { max_calls: 2, window_seconds: 3600, scope: 'agent' },
      },
    ]);
    const outcomes: string[] = [];
    const parent = (await start(world, 'bot', 'bot')).body.session_id;
    for (const name of ['bot', 'bot/a', 'bot/b', 'bot/c', 'dba-1', 'bot2']) {
      const opened = await start(world, name, 'bot', { parent_session_id: parent });
      const { session_id } = opened.body;
      outcomes.push(session_id ? await run(world, session_id, name, 'bot') : opened.body.error.code);
    }
    const [over, lie] = ['RATE_LIMIT_EXCEEDED', 'SESSION_NOT_OWNED'];
    expect(outcomes).toEqual(['success', 'success', over, over, lie, lie]);
  });

  it('keeps it until the end in a session that was open before agents were bound', async () => {
    const world = await openWorld([only('dba-1')]);
    const session = (await start(world, 'bot', 'bot')).body.session_id;
    await world.db.write((uow) =>
      uow.run("update sessions set agent_id = 'dba-1', bound_agent = null where session_id = ?", [session]),
    );
    expect(await run(world, session, 'dba-1', 'bot')).toBe('success');
    expect(await run(world, session, 'dba-1', 'rival')).toBe('SESSION_NOT_OWNED');
    const child = await start(world, 'dba-1/sub', 'bot', { parent_session_id: session });
    expect(child.status).toBe(403);
    await world.send('DELETE', `/v1/sessions/${session}`);
    expect((await start(world, 'dba-1', 'bot')).status).toBe(403);
  });
});

describeOnEachEngine('a subagent', (open) => {
  const openWorld = itemWorlds(open);

  async function decided(world: World, name: string, as: Who = 'bot'): Promise<string> {
    const parent = await world.start();
    const opened = await world.send(
      'POST',
      '/v1/sessions',
      { agent_id: name, goal: 'g', parent_session_id: parent },
      { as },
    );
    const { session_id } = opened.body;
    if (session_id === undefined) return opened.body.error.code;
    const { body } = await world.resolve(session_id, { requester: { agent_id: name, session_id } }, as);
    const allowed = body.allowed_actions.map(({ action_id }: { action_id: string }) => action_id);
    return allowed.includes('item.get') ? 'allowed' : 'denied';
  }

  it('is a child session that a rule can restrict by its name', async () => {
    const world = await openWorld([
      ALLOW,
      { policy_id: 'readers', type: 'deny', actions: ['item.get'], conditions: { agents: ['bot/writer*'] } },
    ]);
    expect(await decided(world, 'bot/writer-1')).toBe('denied');
    expect(await decided(world, 'bot/reader')).toBe('allowed');
    expect(await decided(world, 'bot')).toBe('allowed');
  });

  it('is granted what its parent is granted, and nothing by its name', async () => {
    const allowed = await openWorld([only('bot')]);
    expect(await decided(allowed, 'bot/any')).toBe('allowed');
    const named = await openWorld([only('bot/admin', '*/admin')]);
    expect(await decided(named, 'bot/admin')).toBe('denied');
    const denied = await openWorld([
      ALLOW,
      { policy_id: 'no', type: 'deny', actions: ['*'], conditions: { agents: ['bot'] } },
    ]);
    expect(await decided(denied, 'bot/any')).toBe('denied');
  });

  it('is not made below the session of another agent', async () => {
    const world = await openWorld();
    expect(await decided(world, 'bot/any', 'rival')).toBe('SESSION_NOT_OWNED');
    expect(await decided(world, 'bot/any', 'hook')).toBe('SESSION_NOT_OWNED');
    expect(await decided(world, 'bot/')).toBe('SESSION_NOT_OWNED');
  });
});
