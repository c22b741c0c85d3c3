/** Section 3.6, sections 3.3 to 3.5, and 8.2: what happens around a decision. */
import type { Bench, Doc } from '../bench.ts';
import { CaseSkipped, type ConformanceCase, expectSame, expectThat } from '../case.ts';

type Run = (bench: Bench) => Promise<void>;

const carp = (id: string, covers: readonly string[], run: Run): ConformanceCase => ({
  id,
  covers,
  area: 'CARP-Core',
  run,
});

/** A session with a resolution that allows `a.get` and `a.put`. */
async function ready(
  bench: Bench,
  policies: readonly Doc[] = [],
  actions: readonly (string | Doc)[] = ['a.get', 'a.put'],
) {
  await bench.loadRules([{ policy_id: 'all', type: 'allow' }, ...policies], actions);
  const session = await bench.start();
  const resolution = await bench.resolve(session);
  const run = (actionId = 'a.get', execution: Doc = {}, parts: Doc = {}) =>
    bench.execute(
      session,
      { resolution_id: resolution.resolution_id, action_id: bench.action(actionId), ...execution },
      parts,
    );
  return { session, resolution, run };
}

const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 } },
  required: ['n'],
  additionalProperties: false,
};

function refused(
  reply: { status: number; body: { error?: { code?: string } } },
  status: number,
  code: string,
): void {
  expectSame([reply.status, reply.body?.error?.code], [status, code], 'answer');
}

export const ruleConformance: readonly ConformanceCase[] = [
  carp('resolution.members', ['R13', 'R14', 'R19', 'R89'], async (bench) => {
    const { session, resolution } = await ready(bench);
    bench.fits('carp-resolution', resolution);
    for (const member of ['reason', 'approval_id', 'expires_at']) {
      expectThat(resolution.decision[member] === null, `decision.${member} is not null`, resolution.decision);
    }
    const trace = await bench.trace(session);
    expectSame(resolution.trace_id, trace[0]?.trace_id, 'trace_id');
  }),
  carp('resolution.echoes_request_id', ['R13'], async (bench) => {
    const { session } = await ready(bench);
    const id = bench.id();
    expectSame(
      (await bench.resolve(session, { request_id: id, task: { goal: 'Another' } })).request_id,
      id,
      'request_id',
    );
  }),
  carp('resolution.allowed_action', ['R16', 'R69'], async (bench) => {
    const { resolution } = await ready(
      bench,
      [],
      [{ action_id: 'a.get', idempotent: true, risk_tier: 'medium', parameters_schema: SCHEMA }],
    );
    const [action] = resolution.allowed_actions;
    expectSame(
      [
        action.parameters_schema,
        action.returns_schema,
        action.risk_tier,
        action.requires_confirmation,
        action.idempotent,
        'rate_limit' in action,
      ],
      [SCHEMA, {}, 'medium', false, true, false],
      'allowed action',
    );
  }),
  carp('resolution.denied_action', ['R17'], async (bench) => {
    const { resolution } = await ready(bench, [
      { policy_id: 'no', type: 'deny', actions: ['a.put'], parameters: { reason: 'Not today' } },
    ]);
    expectSame(
      resolution.denied_actions,
      [{ action_id: bench.action('a.put'), reason: 'Not today', policy_id: 'no' }],
      'denied_actions',
    );
    expectSame(resolution.decision.reason, 'Some actions are denied by policy', 'reason');
  }),
  carp('resolution.ttl', ['R19'], async (bench) => {
    const { resolution } = await ready(bench);
    const { ttl_seconds: ttl } = resolution;
    expectThat(Number.isInteger(ttl) && ttl > 0 && ttl <= 86_400, `ttl_seconds is ${ttl}`);
  }),
  carp('resolution.cached_keeps_its_end', ['R41'], async (bench) => {
    const { session, resolution } = await ready(bench);
    const again = await bench.resolve(session);
    expectThat(
      again.ttl_seconds <= resolution.ttl_seconds,
      'a second answer lives longer than the first',
      again,
    );
  }),
  carp('validate.keeps_nothing', ['R5'], async (bench) => {
    const { session } = await ready(bench);
    const checked = await bench.resolve(session, { operation: 'validate', task: { goal: 'Only check' } });
    expectSame(checked.ttl_seconds, 0, 'ttl_seconds');
    refused(
      await bench.execute(session, {
        resolution_id: checked.resolution_id,
        action_id: bench.action('a.get'),
      }),
      404,
      'RESOLUTION_NOT_FOUND',
    );
  }),
  carp('rule.request_id_twice', ['R3', 'R27'], async (bench) => {
    const { session } = await ready(bench);
    const id = bench.id();
    await bench.resolve(session, { request_id: id });
    refused(await bench.ask(session, { request_id: id }), 409, 'DUPLICATE_REQUEST');
  }),
  carp('rule.request_id_in_other_session', ['R27'], async (bench) => {
    const { session } = await ready(bench);
    const id = bench.id();
    await bench.resolve(session, { request_id: id });
    await bench.resolve(await bench.start(), { request_id: id });
  }),
  carp('rule.clock_behind', ['R28'], async (bench) => {
    const { session } = await ready(bench);
    refused(await bench.ask(session, { timestamp: bench.now(-360) }), 400, 'CLOCK_SKEW');
  }),
  carp('rule.clock_ahead', ['R28'], async (bench) => {
    const { session } = await ready(bench);
    refused(await bench.ask(session, { timestamp: bench.now(360) }), 400, 'CLOCK_SKEW');
  }),
  carp('rule.clock_within', ['R28'], async (bench) => {
    const { session } = await ready(bench);
    await bench.resolve(session, { timestamp: bench.now(-240) });
    await bench.resolve(session, { timestamp: bench.now(240) });
  }),
  carp('rule.clock_offset', ['R4', 'R28'], async (bench) => {
    const { session } = await ready(bench);
    const local = bench.now(7200).replace('Z', '+02:00');
    await bench.resolve(session, { timestamp: local });
  }),
  carp('rule.session_unknown', ['R29'], async (bench) => {
    await ready(bench);
    refused(await bench.ask(bench.id()), 404, 'SESSION_NOT_FOUND');
  }),
  carp('rule.session_ended', ['R29'], async (bench) => {
    const { session } = await ready(bench);
    await bench.send('DELETE', `/v1/sessions/${session}`);
    refused(await bench.ask(session), 409, 'SESSION_ALREADY_ENDED');
  }),
  carp('rule.session_ended_execute', ['R29'], async (bench) => {
    const { session, run } = await ready(bench);
    await bench.send('DELETE', `/v1/sessions/${session}`);
    refused(await run(), 409, 'SESSION_ALREADY_ENDED');
  }),
  carp('rule.parent_unknown', ['R8'], async (bench) => {
    const { session } = await ready(bench);
    const requester = { agent_id: 'conformance', session_id: session, parent_session_id: bench.id() };
    expectSame((await bench.ask(session, { requester })).status, 404, 'status');
  }),
  carp('rule.agent_of_other', ['R6', 'R105'], async (bench) => {
    const { session } = await ready(bench);
    expectSame(
      (await bench.ask(session, { requester: { agent_id: 'somebody-else', session_id: session } })).status,
      403,
      'status',
    );
  }),
  carp('rule.session_of_other', ['R105'], async (bench) => {
    const { otherToken } = bench.parts;
    if (otherToken === undefined) throw new CaseSkipped('needs a second credential');
    const { session } = await ready(bench);
    const reply = await bench.send('POST', '/v1/resolve', bench.request(session), { token: otherToken });
    expectThat(reply.status === 403 || reply.status === 404, `answered ${reply.status}`, reply.body);
  }),
  carp('rule.atlas_unknown', ['R12'], async (bench) => {
    const { session } = await ready(bench);
    refused(await bench.ask(session, { atlas_ids: ['com.conformance.nowhere'] }), 404, 'ATLAS_NOT_FOUND');
  }),
  carp('execute.members', ['R24', 'R25', 'R26', 'R90'], async (bench) => {
    const { run, resolution, session } = await ready(bench);
    const request = bench.id();
    const { status, body } = await run('a.get', {}, { request_id: request });
    expectSame([status, body?.status, body?.error ?? null], [200, 'success', null], 'answer');
    expectSame(
      [body.carp_version, body.request_id, body.resolution_id],
      ['1.0', request, resolution.resolution_id],
      'echo',
    );
    expectSame(body.trace_id, (await bench.trace(session))[0]?.trace_id, 'trace_id');
  }),
  carp('execute.null_key', ['R24'], async (bench) => {
    const { run } = await ready(bench);
    expectSame((await run('a.get', { idempotency_key: null })).body?.status, 'success', 'status');
  }),
  carp('execute.without_execution', ['R24'], async (bench) => {
    const { session } = await ready(bench);
    expectSame(
      (await bench.send('POST', '/v1/execute', bench.request(session, { operation: 'execute' }))).status,
      400,
      'status',
    );
  }),
  carp('execute.parameters_absent', ['R24'], async (bench) => {
    const { run } = await ready(bench);
    expectSame((await run('a.get', { parameters: undefined })).status, 400, 'status');
  }),
  carp('execute.resolve_at_execute', ['R5'], async (bench) => {
    const { session } = await ready(bench);
    expectSame((await bench.send('POST', '/v1/execute', bench.request(session))).status, 400, 'status');
  }),
  carp('execute.resolution_unknown', ['R30'], async (bench) => {
    const { run } = await ready(bench);
    refused(await run('a.get', { resolution_id: bench.id() }), 404, 'RESOLUTION_NOT_FOUND');
  }),
  carp('execute.resolution_of_other_session', ['R30', 'R105'], async (bench) => {
    const { resolution } = await ready(bench);
    const other = await bench.start();
    const reply = await bench.execute(other, {
      resolution_id: resolution.resolution_id,
      action_id: bench.action('a.get'),
    });
    refused(reply, 404, 'RESOLUTION_NOT_FOUND');
  }),
  carp('execute.action_denied', ['R31', 'R106'], async (bench) => {
    const { run, session } = await ready(bench, [{ policy_id: 'no', type: 'deny', actions: ['a.put'] }]);
    const reply = await run('a.put');
    refused(reply, 403, 'ACTION_DENIED');
    expectSame(reply.body.status, 'denied', 'status');
    expectThat(
      !(await bench.trace(session)).some(({ event_type: type }) => type === 'action.executed'),
      'it ran',
    );
  }),
  carp('execute.action_unknown', ['R31'], async (bench) => {
    const { run } = await ready(bench);
    refused(await run('a.other'), 403, 'ACTION_DENIED');
  }),
  ...(
    [
      ['missing', {}],
      ['wrong_type', { n: 'one' }],
      ['too_small', { n: 0 }],
      ['unknown_member', { n: 1, m: 2 }],
    ] as const
  ).map(([name, parameters]) =>
    carp(`execute.parameters_${name}`, ['R32'], async (bench) => {
      const { run } = await ready(bench, [], [{ action_id: 'a.get', parameters_schema: SCHEMA }]);
      refused(await run('a.get', { parameters }), 400, 'INVALID_PARAMETERS');
      expectSame((await run('a.get', { parameters: { n: 1 } })).body?.status, 'success', 'status');
    }),
  ),
  carp('execute.rate_limit', ['R75', 'R107'], async (bench) => {
    const { run } = await ready(bench, [
      {
        policy_id: 'slow',
        type: 'rate_limit',
        actions: ['a.get'],
        parameters: { max_calls: 2, window_seconds: 600 },
      },
    ]);
    expectSame([(await run()).status, (await run()).status], [200, 200], 'first two calls');
    const reply = await run();
    refused(reply, 429, 'RATE_LIMIT_EXCEEDED');
    expectThat(Number(reply.headers.get('retry-after')) > 0, 'no Retry-After');
    expectSame((await run('a.put')).status, 200, 'another action');
  }),
  carp('execute.resolve_uses_no_quota', ['R75'], async (bench) => {
    const { run, session } = await ready(bench, [
      { policy_id: 'slow', type: 'rate_limit', parameters: { max_calls: 1, window_seconds: 600 } },
    ]);
    for (const goal of ['one', 'two', 'three']) await bench.resolve(session, { task: { goal } });
    expectSame((await run()).status, 200, 'first call');
    expectSame((await run()).status, 429, 'second call');
  }),
  carp('execute.budget', ['R76'], async (bench) => {
    const { run } = await ready(bench, [
      { policy_id: 'purse', type: 'budget', parameters: { limit: 10, unit: 'usd', cost_field: 'cost' } },
    ]);
    const spend = async (cost: number) => (await run('a.get', { parameters: { cost } })).status;
    expectSame(
      [await spend(4), await spend(5), await spend(2), await spend(1)],
      [200, 200, 403, 200],
      'calls',
    );
  }),
  carp('execute.pending_approval', ['R23', 'R26', 'R74'], async (bench) => {
    const { run, session } = await ready(bench, [
      { policy_id: 'ask', type: 'require_approval', actions: ['a.put'] },
    ]);
    const { status, body } = await run('a.put');
    expectSame([status, body?.status], [200, 'pending_approval'], 'answer');
    expectThat(
      !(await bench.trace(session)).some(({ event_type: type }) => type === 'action.executed'),
      'it ran',
    );
    expectSame((await run('a.get')).body?.status, 'success', 'the other action');
  }),
  carp('execute.idempotency_key', ['R24'], async (bench) => {
    const { run, session } = await ready(bench);
    const first = await run('a.get', { idempotency_key: 'k', parameters: { a: 1 } });
    const again = await run('a.get', { idempotency_key: 'k', parameters: { a: 1 } });
    expectSame(again.body?.execution_id, first.body?.execution_id, 'execution_id');
    expectSame(
      (await run('a.get', { idempotency_key: 'k', parameters: { a: 2 } })).status,
      409,
      'other parameters',
    );
    expectSame(
      (await bench.trace(session)).filter(({ event_type: type }) => type === 'action.executed').length,
      1,
      'runs',
    );
  }),
  carp('execute.new_rule_counts', ['R106'], async (bench) => {
    const { run } = await ready(bench);
    const policies = [
      { policy_id: 'all', type: 'allow' },
      { policy_id: 'stop', type: 'deny' },
    ];
    const reply = await bench.load({
      version: '1.0.1',
      policies,
      actions: bench.actions(['a.get', 'a.put']),
    });
    expectSame(reply.status, 201, 'new version');
    refused(await run(), 403, 'ACTION_DENIED');
  }),
];
