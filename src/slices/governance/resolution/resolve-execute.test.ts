import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { formatMicros } from '../../../kernel/instant.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { publishedSchemas } from '../published-schemas/schemas.ts';
import { manifestOf } from '../testing/manifest.ts';
import { ACTIONS, ALLOW, itemWorlds, typesOf } from '../testing/world.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isResolution = ajv.compile(publishedSchemas()['carp-resolution']);
const isEvent = ajv.compile(publishedSchemas()['trace-event']);

describeOnEachEngine('asking and acting', (open) => {
  const world = itemWorlds(open);

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
    expect(typesOf(events)).toEqual([
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
    expect(typesOf(events)).not.toContain('action.executed');
    expect(
      events
        .filter(({ event_type }) => event_type === 'error.occurred')
        .map(({ payload }) => payload.error_code),
    ).toEqual(['DUPLICATE_REQUEST', 'CLOCK_SKEW', 'ATLAS_NOT_FOUND']);
    expect(typesOf(events).filter((type) => type === 'action.denied').length).toBe(5);
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
    expect(typesOf(await w.trace(session)).slice(-2)).toEqual([
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
    expect(typesOf(await w.trace(session))).toContain('carp.resolution.completed');
  });
});
