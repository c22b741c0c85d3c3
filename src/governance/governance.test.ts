import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { formatMicros } from '../kernel/instant.ts';
import { describeOnEachEngine } from '../storage/testing.ts';
import { jsonSchemas } from './json-schemas/index.ts';
import type { Policy } from './schema/atlas.ts';
import { actionOf, manifestOf } from './testing/manifest.ts';
import { openWorld, people, type World, worldMigrations } from './testing/world.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isResolution = ajv.compile(jsonSchemas['carp-resolution']);
const isEvent = ajv.compile(jsonSchemas['trace-event']);

const echo = { executor: 'echo' };
const ACTIONS = [
  actionOf('item.get', {
    ...echo,
    parameters_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  }),
  actionOf('item.drop', { ...echo, risk_tier: 'high' }),
];
const ALLOW: Policy = { policy_id: 'all', type: 'allow' };

describeOnEachEngine('governance', (open) => {
  async function world(policies: Policy[] = [ALLOW], parts: object = {}, settings = {}): Promise<World> {
    const opened = await openWorld(await open(worldMigrations), { settings });
    const loaded = await opened.load(manifestOf({ actions: ACTIONS, policies, ...parts }));
    if (loaded.status !== 201) throw new Error(JSON.stringify(loaded.body));
    return opened;
  }
  const types = (events: { event_type: string }[]) => events.map(({ event_type }) => event_type);

  it('resolves, executes and leaves a trace that verifies and replays', async () => {
    const w = await world([
      ALLOW,
      { policy_id: 'no-drop', type: 'deny', actions: ['item.drop'], parameters: { reason: 'Never' } },
    ]);
    const session = await w.start();
    const resolved = await w.resolve(session);
    expect(resolved.status).toBe(200);
    expect(isResolution(resolved.body)).toBe(true);
    expect(resolved.body).toMatchObject({
      decision: {
        type: 'partial',
        reason: 'Some actions are denied by policy',
        approval_id: null,
        expires_at: null,
      },
      denied_actions: [{ action_id: 'item.drop', reason: 'Never', policy_id: 'no-drop' }],
      constraints: [],
      ttl_seconds: 3600,
    });
    const ran = await w.execute(session, {
      resolution_id: resolved.body.resolution_id,
      action_id: 'item.get',
      parameters: { id: '7' },
    });
    expect(ran).toMatchObject({ status: 200, body: { status: 'success', result: { id: '7' }, error: null } });
    const refused = await w.execute(session, {
      resolution_id: resolved.body.resolution_id,
      action_id: 'item.drop',
    });
    expect(refused).toMatchObject({
      status: 403,
      body: {
        status: 'denied',
        error: { code: 'ACTION_DENIED', details: { policy_id: 'no-drop', reason: 'Never' } },
      },
    });
    expect((await w.send('DELETE', `/v1/sessions/${session}`)).status).toBe(204);
    const events = await w.trace(session);
    expect(types(events)).toEqual([
      'session.started',
      'carp.request.received',
      'policy.evaluated',
      'policy.evaluated',
      'carp.resolution.completed',
      'action.requested',
      'policy.evaluated',
      'action.approved',
      'action.executed',
      'action.requested',
      'policy.violated',
      'action.denied',
      'session.ended',
    ]);
    expect(events.every((event) => isEvent(event))).toBe(true);
    expect(events.slice(1).every(({ parent_span_id }) => parent_span_id !== null)).toBe(true);
    expect((await w.send('POST', `/v1/traces/${session}/verify`)).body).toMatchObject({
      valid: true,
      event_count: 13,
      ended: true,
      errors: [],
    });
    expect((await w.send('POST', `/v1/traces/${session}/replay`)).body).toMatchObject({
      deterministic: true,
      requests: [{ status: 'identical' }],
      state: { status: 'ended', actions: [{ status: 'executed' }, { status: 'denied' }] },
    });
  });

  it('gives every rule of section 3.6 its own error, and traces it', async () => {
    const w = await world();
    const session = await w.start();
    const { body: resolution } = await w.resolve(session);
    const run = { resolution_id: resolution.resolution_id, action_id: 'item.get', parameters: { id: 'a' } };
    const code = async (
      answer: Promise<{ status: number; body: { error: { code: string; pointer?: string } } }>,
    ) => {
      const { status, body } = await answer;
      return `${status} ${body.error.code} ${body.error.pointer ?? ''}`.trim();
    };
    const late = formatMicros(w.clock.now() - 301_000_000);
    const edge = formatMicros(w.clock.now() + 300_000_000);
    const same = w.base(session, 'resolve').request_id;
    expect((await w.resolve(session, { request_id: same, timestamp: edge })).status).toBe(200);
    expect(await code(w.resolve(session, { request_id: same }))).toBe('409 DUPLICATE_REQUEST /request_id');
    expect(await code(w.resolve(session, { timestamp: late }))).toBe('400 CLOCK_SKEW /timestamp');
    expect(await code(w.resolve(w.ids()))).toBe('404 SESSION_NOT_FOUND');
    expect(await code(w.resolve(session, { operation: 'execute', execution: run }))).toBe(
      '400 INVALID_CARP_REQUEST /operation',
    );
    expect(await code(w.resolve(session, { carp_version: '2.0' }))).toBe(
      '400 INVALID_CARP_REQUEST /carp_version',
    );
    expect(await code(w.resolve(session, { extra: 1 }))).toBe('400 INVALID_CARP_REQUEST /extra');
    expect(await code(w.resolve(session, { atlas_ids: ['com.example.gone'] }))).toBe(
      '404 ATLAS_NOT_FOUND /atlas_ids/0',
    );
    expect(await code(w.execute(session, { ...run, resolution_id: w.ids() }))).toBe(
      '404 RESOLUTION_NOT_FOUND /execution/resolution_id',
    );
    expect(await code(w.execute(session, { ...run, action_id: 'item.other' }))).toBe('403 ACTION_DENIED');
    expect(await code(w.execute(session, { ...run, parameters: { id: 5 } }))).toBe(
      '400 INVALID_PARAMETERS /execution/parameters/id',
    );
    expect(await code(w.execute(session, { ...run, parameters: {} }))).toBe(
      '400 INVALID_PARAMETERS /execution/parameters/id',
    );
    w.clock.advance({ seconds: 3601 });
    expect(await code(w.execute(session, run))).toBe('410 RESOLUTION_EXPIRED /execution/resolution_id');
    const kept = await w.start();
    await w.send('DELETE', `/v1/sessions/${kept}`);
    expect(await code(w.resolve(kept))).toBe('409 SESSION_ALREADY_ENDED');
    const events = await w.trace(session);
    expect(types(events)).not.toContain('action.executed');
    expect(
      events
        .filter(({ event_type }) => event_type === 'error.occurred')
        .map(({ payload }) => payload.error_code),
    ).toEqual(['DUPLICATE_REQUEST', 'CLOCK_SKEW', 'ATLAS_NOT_FOUND']);
    expect(types(events).filter((type) => type === 'action.denied').length).toBe(5);
    expect((await w.send('POST', `/v1/traces/${session}/verify`)).body.valid).toBe(true);
  });

  it('keeps sessions to their owners', async () => {
    const w = await world();
    const session = await w.start();
    expect(await w.resolve(session, {}, 'rival')).toMatchObject({
      status: 403,
      body: { error: { code: 'SESSION_NOT_OWNED' } },
    });
    expect(await w.resolve(session, {}, 'stranger')).toMatchObject({
      status: 404,
      body: { error: { code: 'SESSION_NOT_FOUND' } },
    });
    expect(await w.resolve(session, { requester: { agent_id: 'other', session_id: session } })).toMatchObject(
      { status: 403 },
    );
    expect((await w.send('GET', `/v1/traces/${session}`, undefined, { as: 'stranger' })).status).toBe(404);
    expect((await w.send('DELETE', `/v1/sessions/${session}`, undefined, { as: 'rival' })).status).toBe(403);
    expect(
      (
        await w.resolve(session, {
          requester: { agent_id: 'bot', session_id: session, parent_session_id: w.ids() },
        })
      ).status,
    ).toBe(404);
    expect(
      await w.send('GET', '/v1/sessions', undefined, { headers: { authorization: 'Bearer nobody' } }),
    ).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHORIZED' } },
    });
    expect((await w.trace(session)).length).toBe(1);
  });

  it('serves a kept resolution with its own id and what is left of its time, until an Atlas changes', async () => {
    const w = await world();
    const session = await w.start();
    const first = (await w.resolve(session)).body;
    w.clock.advance({ seconds: 100 });
    const second = (await w.resolve(session)).body;
    expect(second).toMatchObject({ resolution_id: first.resolution_id, ttl_seconds: 3500 });
    expect(second.request_id).not.toBe(first.request_id);
    expect(types(await w.trace(session)).slice(-2)).toEqual([
      'carp.request.received',
      'carp.resolution.cached',
    ]);
    expect((await w.resolve(session, { task: { goal: 'Another goal' } })).body.resolution_id).not.toBe(
      first.resolution_id,
    );
    await w.load(manifestOf({ version: '1.0.1', actions: ACTIONS, policies: [] }));
    const third = (await w.resolve(session)).body;
    expect(third.resolution_id).not.toBe(first.resolution_id);
    expect(third.decision.type).toBe('deny');
    expect((await w.send('POST', `/v1/traces/${session}/replay`)).body.deterministic).toBe(true);
  });

  it('enforces a new rule at once, also on resolutions given before', async () => {
    const w = await world();
    const session = await w.start();
    const { body } = await w.resolve(session);
    const run = { resolution_id: body.resolution_id, action_id: 'item.get', parameters: { id: 'a' } };
    await w.load(
      manifestOf({
        version: '1.0.1',
        actions: ACTIONS,
        policies: [ALLOW, { policy_id: 'stop', type: 'deny' }],
      }),
    );
    expect(await w.execute(session, run)).toMatchObject({
      status: 403,
      body: { error: { details: { policy_id: 'stop' } } },
    });
    await w.send('DELETE', '/v1/atlases/com.example.test');
    expect(await w.execute(session, run)).toMatchObject({
      status: 404,
      body: { error: { code: 'ACTION_NOT_FOUND' } },
    });
  });

  it('counts calls over a sliding window, shows what is left, and says when to come back', async () => {
    const w = await world([
      ALLOW,
      {
        policy_id: 'slow',
        type: 'rate_limit',
        actions: ['item.drop'],
        parameters: { max_calls: 2, window_seconds: 60 },
      },
    ]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.allowed_actions[1].rate_limit).toEqual({ max_calls: 2, window_seconds: 60 });
    expect(body.constraints).toMatchObject([
      { constraint_id: 'slow', type: 'rate_limit', parameters: { remaining: 2 } },
    ]);
    const run = () => w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' });
    expect((await run()).status).toBe(200);
    w.clock.advance({ seconds: 20 });
    expect((await run()).status).toBe(200);
    const over = await run();
    expect(over).toMatchObject({
      status: 429,
      body: {
        status: 'denied',
        error: { code: 'RATE_LIMIT_EXCEEDED', details: { reason: 'rate_limit_exceeded', policy_id: 'slow' } },
      },
    });
    expect(over.headers.get('retry-after')).toBe('40');
    expect((await w.resolve(session)).body.constraints[0].parameters.remaining).toBe(0);
    w.clock.advance({ seconds: 40 });
    expect((await run()).status).toBe(200);
    expect((await run()).status).toBe(429);
  });

  it('lets no more calls through than allowed when they come at once', async () => {
    const w = await world([
      ALLOW,
      { policy_id: 'b', type: 'budget', parameters: { limit: 3, unit: 'call' } },
    ]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        w.execute(session, {
          resolution_id: body.resolution_id,
          action_id: n % 2 ? 'item.drop' : 'item.get',
          parameters: n % 2 ? {} : { id: 'a' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBe(3);
    expect(answers.filter(({ status }) => status === 403).length).toBe(5);
    expect((await w.send('POST', `/v1/traces/${session}/verify`)).body.valid).toBe(true);
  });

  it('gives back what a failed call cost where the policy says so', async () => {
    const w = await world(
      [ALLOW, { policy_id: 'b', type: 'budget', parameters: { limit: 1, refundable: true } }],
      {
        actions: [actionOf('item.fail', { executor: 'broken' })],
      },
    );
    w.executors.register('broken', async () => {
      throw new Error('out of order');
    });
    const session = await w.start();
    const { body } = await w.resolve(session);
    for (const _ of [1, 2]) {
      const answer = await w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.fail' });
      expect(answer.body).toMatchObject({
        status: 'error',
        error: { code: 'EXECUTION_ERROR', message: 'out of order' },
      });
    }
  });

  it('answers the same idempotency key with the first answer, and refuses it for other parameters', async () => {
    let calls = 0;
    const w = await world([ALLOW], { actions: [actionOf('item.count', { executor: 'counter' })] });
    w.executors.register('counter', async () => ({ calls: ++calls }));
    const session = await w.start();
    const { body } = await w.resolve(session);
    const run = (parameters: object, key = 'k1') =>
      w.execute(session, {
        resolution_id: body.resolution_id,
        action_id: 'item.count',
        parameters,
        idempotency_key: key,
      });
    const first = await run({ a: 1 });
    const again = await run({ a: 1 });
    expect(again.body).toEqual(first.body);
    expect(await run({ a: 2 })).toMatchObject({
      status: 409,
      body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
    });
    expect((await run({ a: 1 }, 'k2')).body.result).toEqual({ calls: 2 });
    expect(calls).toBe(2);
  });

  it('waits for a person, runs only after the approval, and never when it is rejected', async () => {
    const w = await world([ALLOW, { policy_id: 'ask', type: 'require_approval', actions: ['item.drop'] }]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.decision).toMatchObject({
      type: 'partial',
      approval_id: expect.any(String),
      expires_at: expect.any(String),
    });
    const { approval_id: approval } = body.decision;
    expect(body.constraints).toMatchObject([
      { type: 'require_approval', parameters: { approval_id: approval, action_ids: ['item.drop'] } },
    ]);
    const run = () => w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' });
    expect(await run()).toMatchObject({
      status: 200,
      body: { status: 'pending_approval', result: null, error: { details: { approval_id: approval } } },
    });
    expect((await w.resolve(session)).body.decision.approval_id).toBe(approval);
    expect((await w.send('GET', '/v1/approvals')).body.items).toMatchObject([
      { approval_id: approval, status: 'pending', action_ids: ['item.drop'] },
    ]);
    const decide = (said: object, as: 'ana' | 'bot' = 'ana') =>
      w.send('POST', `/v1/approvals/${approval}`, said, { as });
    expect((await decide({ decision: 'approve' }, 'bot')).status).toBe(403);
    expect(await decide({ decision: 'approve', approver: 'ben' })).toMatchObject({
      status: 403,
      body: { error: { code: 'APPROVER_MISMATCH' } },
    });
    expect((await decide({ decision: 'approve', approver: 'ana', reason: 'fine' })).body).toMatchObject({
      status: 'approved',
      approver: 'ana',
      decision_reason: 'fine',
    });
    expect((await decide({ decision: 'approve', reason: 'fine' })).status).toBe(200);
    expect((await decide({ decision: 'reject' })).status).toBe(409);
    expect((await run()).body).toMatchObject({ status: 'success' });
    expect((await w.resolve(session)).body.decision.type).toBe('allow');
    w.clock.advance({ seconds: 3600 });
    const again = (await w.resolve(session)).body;
    expect(again.decision.approval_id).not.toBe(approval);
    expect(
      (
        await w.send(
          'POST',
          `/v1/approvals/${again.decision.approval_id}`,
          { decision: 'reject' },
          { as: 'ana' },
        )
      ).body.status,
    ).toBe('rejected');
    expect(
      (await w.execute(session, { resolution_id: again.resolution_id, action_id: 'item.drop' })).body.status,
    ).toBe('pending_approval');
    expect(
      (await w.trace(session)).filter(({ payload }) => payload.reason === 'approval_rejected').length,
    ).toBe(1);
  });

  it('takes the decision in the inbox for the same as the one on the approval', async () => {
    const w = await world([{ policy_id: 'ask', type: 'require_approval' }]);
    const session = await w.start();
    const { approval_id: itemId } = (await w.resolve(session)).body.decision;
    const item = await w.db.read((reader) => w.inbox.get(reader, itemId));
    expect(item).toMatchObject({
      kind: 'carp_approval',
      rule: 'ask',
      risk: 'high',
      requestedBy: { id: 'bot' },
    });
    const digest = item?.digest ?? '';
    await w.db.write((uow) =>
      w.inbox.decide(uow, { itemId, decision: 'reject', digest, principal: people.ana }),
    );
    expect((await w.send('GET', `/v1/approvals/${itemId}`)).body).toMatchObject({
      status: 'rejected',
      approver: 'ana',
    });
    expect((await w.trace(session)).filter(({ event_type }) => event_type === 'action.denied').length).toBe(
      2,
    );
  });

  it('asks about one call where the rule looks at its parameters', async () => {
    const w = await world([
      ALLOW,
      { policy_id: 'large', type: 'require_approval', parameters: { when: { amount: { gt: 100 } } } },
    ]);
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.decision.type).toBe('allow');
    const run = (amount: number) =>
      w.execute(session, {
        resolution_id: body.resolution_id,
        action_id: 'item.drop',
        parameters: { amount },
      });
    expect((await run(100)).body.status).toBe('success');
    const waiting = (await run(150)).body;
    expect(waiting.status).toBe('pending_approval');
    await w.send(
      'POST',
      `/v1/approvals/${waiting.error.details.approval_id}`,
      { decision: 'approve' },
      { as: 'ana' },
    );
    expect((await run(150)).body.status).toBe('success');
    expect((await run(151)).body.status).toBe('pending_approval');
  });

  it('only logs what an Atlas in log mode would have stopped', async () => {
    const w = await openWorld(await open(worldMigrations));
    await w.load(manifestOf({ actions: ACTIONS, policies: [{ policy_id: 'no', type: 'deny' }] }), 'log_only');
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(body.decision.type).toBe('allow');
    expect(
      (await w.execute(session, { resolution_id: body.resolution_id, action_id: 'item.drop' })).body.status,
    ).toBe('success');
    expect(
      (await w.trace(session)).filter(
        ({ payload }) => payload.effect === 'log_only' && payload.result === 'deny',
      ).length,
    ).toBe(3);
  });

  it('validates without keeping anything', async () => {
    const w = await world([ALLOW, { policy_id: 'ask', type: 'require_approval', actions: ['item.drop'] }]);
    const session = await w.start();
    const { body } = await w.resolve(session, { operation: 'validate' });
    expect(body).toMatchObject({ ttl_seconds: 0, decision: { type: 'partial', approval_id: null } });
    expect(
      (
        await w.execute(session, {
          resolution_id: body.resolution_id,
          action_id: 'item.get',
          parameters: { id: 'a' },
        })
      ).status,
    ).toBe(404);
    expect((await w.send('GET', '/v1/approvals')).body.items).toEqual([]);
    expect(types(await w.trace(session))).toContain('carp.resolution.completed');
  });

  it('fails an action that has no executor, or whose executor is too slow', async () => {
    const w = await world([ALLOW], {
      actions: [
        actionOf('item.none', { executor: 'nowhere' }),
        actionOf('item.slow', { executor: 'slow', timeout_seconds: 1 }),
      ],
    });
    w.executors.register('slow', () => new Promise(() => undefined));
    const session = await w.start();
    const { body } = await w.resolve(session);
    const run = (id: string) => w.execute(session, { resolution_id: body.resolution_id, action_id: id });
    expect((await run('item.none')).body).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTOR_NOT_FOUND' },
    });
    expect((await run('item.slow')).body).toMatchObject({
      status: 'error',
      error: { code: 'EXECUTION_TIMEOUT' },
    });
    expect(types(await w.trace(session)).filter((type) => type === 'action.failed').length).toBe(2);
  });

  it('closes what a dead process left running: again where that is safe, as unknown where not', async () => {
    let calls = 0;
    const w = await world([ALLOW], {
      actions: [
        actionOf('item.safe', { executor: 'hang', idempotent: true }),
        actionOf('item.risky', { executor: 'hang' }),
      ],
    });
    const hanging = () => new Promise<never>(() => undefined);
    w.executors.register('hang', async () => {
      calls += 1;
      return calls > 2 ? { calls } : hanging();
    });
    const session = await w.start();
    const { body } = await w.resolve(session);
    for (const [at, id] of ['item.safe', 'item.risky'].entries()) {
      void w.execute(session, { resolution_id: body.resolution_id, action_id: id });
      while (calls <= at) await new Promise((done) => setTimeout(done, 5));
    }
    expect(await w.governance.recover()).toBe(0);
    w.clock.advance({ seconds: 61 });
    expect(await w.governance.recover()).toBe(2);
    const ends = (await w.trace(session)).filter(({ event_type }) => /executed|failed/.test(event_type));
    expect(
      ends.map(({ event_type, payload }) => [event_type, payload.action_id, payload.error_code]),
    ).toEqual([
      ['action.executed', 'item.safe', undefined],
      ['action.failed', 'item.risky', 'OUTCOME_UNKNOWN'],
    ]);
  });

  it('loads, lists, replaces and unloads Atlases, and refuses what cannot be', async () => {
    const w = await world();
    const send = async (manifest: object) => {
      const { status, body } = await w.load(manifest);
      return `${status} ${body.error?.code ?? body.version} ${body.error?.pointer ?? ''}`.trim();
    };
    expect(await send(manifestOf({ actions: ACTIONS }))).toBe('409 ATLAS_ALREADY_LOADED /version');
    expect(await send(manifestOf({ atlas_id: 'com.example.two', actions: ACTIONS }))).toBe(
      '409 ACTION_CONFLICT /actions/0/action_id',
    );
    expect(await send({ ...manifestOf(), version: '1.0' })).toBe('400 INVALID_ATLAS_MANIFEST /version');
    expect(await send({ ...manifestOf(), nope: 1 })).toBe('400 INVALID_ATLAS_MANIFEST /nope');
    expect(
      await send(manifestOf({ atlas_id: 'com.example.two', dependencies: { 'com.example.test': '^2.0.0' } })),
    ).toBe('409 ATLAS_DEPENDENCY_MISSING /dependencies/com.example.test');
    expect(
      await send(manifestOf({ atlas_id: 'com.example.two', dependencies: { 'com.example.test': '^1.0.0' } })),
    ).toBe('201 1.0.0');
    expect(await send(manifestOf({ version: '1.1.0', actions: ACTIONS, policies: [ALLOW] }))).toBe(
      '201 1.1.0',
    );
    expect(
      (await w.send('GET', '/v1/atlases')).body.map(
        (each: { atlas_id: string; version: string }) => `${each.atlas_id} ${each.version}`,
      ),
    ).toEqual(['com.example.two 1.0.0', 'com.example.test 1.1.0']);
    expect((await w.send('GET', '/v1/atlases?envelope=1')).body).toMatchObject({ total: 2 });
    const own = { headers: { accept: 'application/vnd.cra.atlas+json' } };
    const manifest = await w.send('GET', '/v1/atlases/com.example.test', undefined, own);
    expect(manifest.headers.get('content-type')).toBe('application/vnd.cra.atlas+json');
    expect(manifest.body).toEqual(manifestOf({ version: '1.1.0', actions: ACTIONS, policies: [ALLOW] }));
    expect((await w.send('GET', '/v1/atlases', undefined, { as: 'stranger' })).body).toEqual([]);
    expect((await w.send('DELETE', '/v1/atlases/com.example.test')).status).toBe(204);
    expect((await w.send('DELETE', '/v1/atlases/com.example.test')).status).toBe(404);
    expect((await w.send('GET', '/v1/schemas/trace-event')).body).toEqual(jsonSchemas['trace-event']);
  });

  it('hands out context in order, takes secrets out, and records what the agent was given', async () => {
    const files = { 'context/low.md': 'low sk-123', 'context/high.md': 'high' };
    const w = await world(
      [ALLOW],
      {
        context_packs: [
          { pack_id: 'low', name: 'l', priority: 1, files: ['context/low.md'] },
          { pack_id: 'high', name: 'h', priority: 9, files: ['context/high.md'] },
        ],
        metadata: { context_files: files },
      },
      { redact: (text: string) => text.replace(/sk-\w+/g, '[secret]') },
    );
    const session = await w.start();
    const { body } = await w.resolve(session);
    expect(
      body.context_blocks.map((each: { block_id: string; content: string }) => [each.block_id, each.content]),
    ).toEqual([
      ['high', 'high'],
      ['low', 'low [secret]'],
    ]);
    const events = await w.trace(session);
    expect(types(events).slice(-4)).toEqual([
      'context.injected',
      'context.injected',
      'context.redacted',
      'carp.resolution.completed',
    ]);
    expect((await w.send('POST', `/v1/traces/${session}/replay`)).body.deterministic).toBe(true);
  });

  it('gives the trace as an array, in an envelope, in lines, and live from any place', async () => {
    const w = await world();
    const session = await w.start();
    await w.resolve(session);
    const all = await w.trace(session);
    const lines = await w.send('GET', `/v1/traces/${session}`, undefined, {
      headers: { accept: 'application/vnd.cra.trace+jsonl' },
    });
    expect(lines.headers.get('content-type')).toBe('application/vnd.cra.trace+jsonl');
    expect(
      lines.body
        .trimEnd()
        .split('\n')
        .map((line: string) => JSON.parse(line)),
    ).toEqual(all);
    const part = await w.send(
      'GET',
      `/v1/traces/${session}?envelope=1&since_sequence=1&limit=1&event_type=policy.evaluated`,
    );
    expect(part.body).toEqual({
      session_id: session,
      total: all.length,
      last_sequence: all.length - 1,
      events: [all[2]],
    });
    expect((await w.send('GET', `/v1/traces/${session}/events?limit=2`)).body).toMatchObject({
      total: all.length,
      events: all.slice(0, 2),
    });
    const seen: string[] = [];
    const reading = (async () => {
      const stream = await w.app.request(
        `http://localhost/v1/traces/stream?session_id=${session}&since_sequence=2`,
        {
          headers: { host: 'localhost', authorization: 'Bearer bot' },
        },
      );
      const decoder = new TextDecoder();
      for await (const piece of stream.body as unknown as AsyncIterable<Uint8Array>) {
        for (const match of decoder.decode(piece).matchAll(/^data: (.*)$/gm))
          seen.push(JSON.parse(match[1]!).sequence);
      }
    })();
    await w.resolve(session, { task: { goal: 'More' } });
    await w.send('DELETE', `/v1/sessions/${session}`);
    await reading;
    const total = (await w.trace(session)).length;
    expect(seen).toEqual(Array.from({ length: total - 3 }, (_, at) => at + 3));
  });

  it('explains decisions and finds what is wrong with an Atlas', async () => {
    const w = await world([ALLOW, { policy_id: 'never', type: 'allow', conditions: { agents: [] } }]);
    const explained = await w.send('POST', '/v1/explain', { agent_id: 'bot', action_id: 'item.get' });
    expect(explained.body.explanations).toMatchObject([{ winner: 'all', effect: 'allow' }]);
    expect(
      (await w.send('GET', '/v1/atlases/com.example.test/analysis')).body.findings
        .map((f: { kind: string }) => f.kind)
        .sort(),
    ).toEqual(['dead', 'over_broad']);
    expect((await w.send('POST', '/v1/atlases/check', { ...manifestOf(), version: 'x' })).body).toMatchObject(
      { loadable: false, findings: [{ code: 'schema', pointer: '/version' }] },
    );
  });
});
