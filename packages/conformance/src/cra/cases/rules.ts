/** Sections 3.3 to 3.6 and 8.2: what happens around a decision. */
import type { LooseRecord } from '../../../../../src/kernel/json/loose.ts';
import { assert, assertEqual, Skip } from '../../assertions.ts';
import { ALLOW_ALL, type Bench } from '../bench.ts';
import { assertRefused, assertStatus, type ConformanceCase, carp } from '../case.ts';

/** A session with a resolution that allows `a.get` and `a.put`. */
async function prepare(
  bench: Bench,
  policies: readonly LooseRecord[] = [],
  actions: readonly (string | LooseRecord)[] = ['a.get', 'a.put'],
) {
  await bench.loadRules([ALLOW_ALL, ...policies], actions);
  const session = await bench.start();
  const resolution = await bench.resolve(session);
  const { resolution_id } = resolution;
  return {
    bench,
    session,
    resolution,
    ask: (parts: LooseRecord = {}) => bench.ask(session, parts),
    run: (id = 'a.get', execution: LooseRecord = {}, parts: LooseRecord = {}) =>
      bench.execute(session, { resolution_id, action_id: bench.action(id), ...execution }, parts),
  };
}

/** A case that begins with a session and a resolution. */
const prepared = (
  id: string,
  covers: readonly string[],
  run: (ready: Awaited<ReturnType<typeof prepare>>) => Promise<void>,
): ConformanceCase => carp(id, covers, async (bench) => run(await prepare(bench)));

const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 } },
  required: ['n'],
  additionalProperties: false,
};

async function assertNotRun(bench: Bench, session: string): Promise<void> {
  assertEqual((await bench.eventsOf('action.executed', session)).length, 0, 'executions');
}

export const ruleConformance: readonly ConformanceCase[] = [
  prepared('resolution.members', ['R13', 'R14', 'R19', 'R89'], async ({ bench, session, resolution }) => {
    bench.fits('carp-resolution', resolution);
    const { reason, approval_id, expires_at } = resolution.decision;
    assertEqual([reason, approval_id, expires_at], [null, null, null], 'reason, approval_id, expires_at');
    assertEqual(resolution.trace_id, (await bench.trace(session))[0]?.trace_id, 'trace_id');
  }),
  prepared('resolution.echoes_request_id', ['R13'], async ({ bench, session }) => {
    const id = bench.id();
    const { request_id } = await bench.resolve(session, { request_id: id, task: { goal: 'Another' } });
    assertEqual(request_id, id, 'request_id');
  }),
  carp('resolution.allowed_action', ['R16', 'R69'], async (bench) => {
    const given = { action_id: 'a.get', idempotent: true, risk_tier: 'medium', parameters_schema: SCHEMA };
    const { resolution } = await prepare(bench, [], [given]);
    const [action] = resolution.allowed_actions;
    const { parameters_schema, returns_schema, risk_tier, requires_confirmation, idempotent } = action;
    assertEqual([parameters_schema, returns_schema], [SCHEMA, {}], 'schemas of the action');
    assertEqual([risk_tier, requires_confirmation, idempotent], ['medium', false, true], 'allowed action');
    assert(!('rate_limit' in action), 'an action without a limit has rate_limit', action);
  }),
  carp('resolution.denied_action', ['R17'], async (bench) => {
    const { resolution } = await prepare(bench, [
      { policy_id: 'no', type: 'deny', actions: ['a.put'], parameters: { reason: 'Not today' } },
    ]);
    const denied = { action_id: bench.action('a.put'), reason: 'Not today', policy_id: 'no' };
    assertEqual(resolution.denied_actions, [denied], 'denied_actions');
    assertEqual(resolution.decision.reason, 'Some actions are denied by policy', 'reason');
  }),
  prepared('resolution.ttl', ['R19'], async ({ resolution: { ttl_seconds: ttl } }) =>
    assert(Number.isInteger(ttl) && ttl > 0 && ttl <= 86_400, `ttl_seconds is ${ttl}`),
  ),
  prepared('resolution.cached_keeps_its_end', ['R41'], async ({ bench, session, resolution }) => {
    const again = await bench.resolve(session);
    assert(again.ttl_seconds <= resolution.ttl_seconds, 'a cached resolution outlives the first', again);
  }),
  prepared('validate.keeps_nothing', ['R5'], async ({ bench, session, run }) => {
    const checked = await bench.resolve(session, { operation: 'validate', task: { goal: 'Only check' } });
    assertEqual(checked.ttl_seconds, 0, 'ttl_seconds');
    const { resolution_id } = checked;
    assertRefused(await run('a.get', { resolution_id }), 404, 'RESOLUTION_NOT_FOUND');
  }),
  prepared('rule.request_id_twice', ['R3', 'R27'], async ({ bench, session, ask }) => {
    const request_id = bench.id();
    await bench.resolve(session, { request_id });
    assertRefused(await ask({ request_id }), 409, 'DUPLICATE_REQUEST');
  }),
  prepared('rule.request_id_in_other_session', ['R27'], async ({ bench, session }) => {
    const request_id = bench.id();
    await bench.resolve(session, { request_id });
    await bench.resolve(await bench.start(), { request_id });
  }),
  prepared('rule.clock_behind', ['R28'], async ({ bench, ask }) =>
    assertRefused(await ask({ timestamp: bench.now(-360) }), 400, 'CLOCK_SKEW'),
  ),
  prepared('rule.clock_ahead', ['R28'], async ({ bench, ask }) =>
    assertRefused(await ask({ timestamp: bench.now(360) }), 400, 'CLOCK_SKEW'),
  ),
  prepared('rule.clock_within', ['R28'], async ({ bench, session }) => {
    await bench.resolve(session, { timestamp: bench.now(-240) });
    await bench.resolve(session, { timestamp: bench.now(240) });
  }),
  prepared('rule.clock_offset', ['R4', 'R28'], async ({ bench, session }) => {
    await bench.resolve(session, { timestamp: bench.now(7200).replace('Z', '+02:00') });
  }),
  prepared('rule.session_unknown', ['R29'], async ({ bench }) =>
    assertRefused(await bench.ask(bench.id()), 404, 'SESSION_NOT_FOUND'),
  ),
  prepared('rule.session_ended', ['R29'], async ({ bench, session, ask }) => {
    await bench.end(session);
    assertRefused(await ask(), 409, 'SESSION_ALREADY_ENDED');
  }),
  prepared('rule.session_ended_execute', ['R29'], async ({ bench, session, run }) => {
    await bench.end(session);
    assertRefused(await run(), 409, 'SESSION_ALREADY_ENDED');
  }),
  prepared('rule.parent_unknown', ['R8'], async ({ bench, session, ask }) => {
    const requester = { agent_id: 'conformance', session_id: session, parent_session_id: bench.id() };
    assertStatus(await ask({ requester }), 404);
  }),
  prepared('rule.agent_of_other', ['R6', 'R105'], async ({ session, ask }) =>
    assertStatus(await ask({ requester: { agent_id: 'somebody-else', session_id: session } }), 403),
  ),
  carp('rule.session_of_other', ['R105'], async (bench) => {
    const { otherToken } = bench.deps;
    if (otherToken === undefined) throw new Skip('needs a second credential');
    const { session } = await prepare(bench);
    const reply = await bench.send('POST', '/v1/resolve', bench.request(session), { token: otherToken });
    assert(
      reply.status === 403 || reply.status === 404,
      `expected 403 or 404, got ${reply.status}`,
      reply.json,
    );
  }),
  prepared('rule.atlas_unknown', ['R12'], async ({ ask }) =>
    assertRefused(await ask({ atlas_ids: ['com.conformance.nowhere'] }), 404, 'ATLAS_NOT_FOUND'),
  ),
  prepared('execute.members', ['R24', 'R25', 'R26', 'R90'], async ({ bench, run, resolution, session }) => {
    const id = bench.id();
    const { status, json } = await run('a.get', {}, { request_id: id });
    assertEqual([status, json?.status, json?.error ?? null], [200, 'success', null], 'answer');
    const { carp_version, request_id, resolution_id, trace_id } = json;
    assertEqual([carp_version, request_id, resolution_id], ['1.0', id, resolution.resolution_id], 'echo');
    assertEqual(trace_id, (await bench.trace(session))[0]?.trace_id, 'trace_id');
  }),
  prepared('execute.null_key', ['R24'], async ({ run }) =>
    assertEqual((await run('a.get', { idempotency_key: null })).json?.status, 'success', 'status'),
  ),
  prepared('execute.without_execution', ['R24'], async ({ bench, session }) => {
    const request = bench.request(session, { operation: 'execute' });
    assertStatus(await bench.send('POST', '/v1/execute', request), 400);
  }),
  prepared('execute.parameters_absent', ['R24'], async ({ run }) =>
    assertStatus(await run('a.get', { parameters: undefined }), 400),
  ),
  prepared('execute.resolve_at_execute', ['R5'], async ({ bench, session }) =>
    assertStatus(await bench.send('POST', '/v1/execute', bench.request(session)), 400),
  ),
  prepared('execute.resolution_unknown', ['R30'], async ({ bench, run }) =>
    assertRefused(await run('a.get', { resolution_id: bench.id() }), 404, 'RESOLUTION_NOT_FOUND'),
  ),
  prepared('execute.resolution_of_other_session', ['R30', 'R105'], async ({ bench, resolution }) => {
    const execution = { resolution_id: resolution.resolution_id, action_id: bench.action('a.get') };
    assertRefused(await bench.execute(await bench.start(), execution), 404, 'RESOLUTION_NOT_FOUND');
  }),
  carp('execute.action_denied', ['R31', 'R106'], async (bench) => {
    const { run, session } = await prepare(bench, [{ policy_id: 'no', type: 'deny', actions: ['a.put'] }]);
    const reply = await run('a.put');
    assertRefused(reply, 403, 'ACTION_DENIED');
    assertEqual(reply.json.status, 'denied', 'status');
    await assertNotRun(bench, session);
  }),
  prepared('execute.action_unknown', ['R31'], async ({ run }) =>
    assertRefused(await run('a.other'), 403, 'ACTION_DENIED'),
  ),
  ...Object.entries({
    missing: {},
    wrong_type: { n: 'one' },
    too_small: { n: 0 },
    unknown_member: { n: 1, m: 2 },
  }).map(([name, parameters]) =>
    carp(`execute.parameters_${name}`, ['R32'], async (bench) => {
      const { run } = await prepare(bench, [], [{ action_id: 'a.get', parameters_schema: SCHEMA }]);
      assertRefused(await run('a.get', { parameters }), 400, 'INVALID_PARAMETERS');
      assertEqual((await run('a.get', { parameters: { n: 1 } })).json?.status, 'success', 'status');
    }),
  ),
  carp('execute.rate_limit', ['R75', 'R107'], async (bench) => {
    const parameters = { max_calls: 2, window_seconds: 600 };
    const { run } = await prepare(bench, [
      { policy_id: 'slow', type: 'rate_limit', actions: ['a.get'], parameters },
    ]);
    assertStatus(await run(), 200, 'first call');
    assertStatus(await run(), 200, 'second call');
    const reply = await run();
    assertRefused(reply, 429, 'RATE_LIMIT_EXCEEDED');
    assert(Number(reply.headers.get('retry-after')) > 0, 'no Retry-After');
    assertStatus(await run('a.put'), 200, 'another action');
  }),
  carp('execute.resolve_uses_no_quota', ['R75'], async (bench) => {
    const { run, session } = await prepare(bench, [
      { policy_id: 'slow', type: 'rate_limit', parameters: { max_calls: 1, window_seconds: 600 } },
    ]);
    for (const goal of ['one', 'two', 'three']) await bench.resolve(session, { task: { goal } });
    assertStatus(await run(), 200, 'first call');
    assertStatus(await run(), 429, 'second call');
  }),
  carp('execute.budget', ['R76'], async (bench) => {
    const { run } = await prepare(bench, [
      { policy_id: 'purse', type: 'budget', parameters: { limit: 10, unit: 'usd', cost_field: 'cost' } },
    ]);
    const spend = async (cost: number) => (await run('a.get', { parameters: { cost } })).status;
    const statuses = [await spend(4), await spend(5), await spend(2), await spend(1)];
    assertEqual(statuses, [200, 200, 403, 200], 'calls');
  }),
  carp('execute.pending_approval', ['R23', 'R26', 'R74'], async (bench) => {
    const ask = { policy_id: 'ask', type: 'require_approval', actions: ['a.put'] };
    const { run, session } = await prepare(bench, [ask]);
    const { status, json } = await run('a.put');
    assertEqual([status, json?.status], [200, 'pending_approval'], 'answer');
    await assertNotRun(bench, session);
    assertEqual((await run('a.get')).json?.status, 'success', 'the other action');
  }),
  prepared('execute.idempotency_key', ['R24'], async ({ bench, run, session }) => {
    const call = (a: number) => run('a.get', { idempotency_key: 'k', parameters: { a } });
    const [first, again] = [await call(1), await call(1)];
    assertEqual(again.json?.execution_id, first.json?.execution_id, 'execution_id');
    assertStatus(await call(2), 409, 'other parameters');
    assertEqual((await bench.eventsOf('action.executed', session)).length, 1, 'executions');
  }),
  prepared('execute.new_rule_counts', ['R106'], async ({ bench, run }) => {
    const policies = [ALLOW_ALL, { policy_id: 'stop', type: 'deny' }];
    const actions = bench.actions(['a.get', 'a.put']);
    assertStatus(await bench.load({ version: '1.0.1', policies, actions }), 201, 'new version');
    assertRefused(await run(), 403, 'ACTION_DENIED');
  }),
];
