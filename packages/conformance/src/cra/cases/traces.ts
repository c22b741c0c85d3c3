/** Sections 4 and 6.2: what is recorded and how it is chained. */
import { fromPlain } from '../../../../../src/kernel/json/plain.ts';
import { readJson } from '../../../../../src/kernel/json/reader.ts';
import { eventHash, GENESIS_HASH, type TraceEvent } from '../../../../../src/kernel/trace/event.ts';
import { createChainVerifier } from '../../../../../src/kernel/trace/verify-chain.ts';
import { assert, assertEqual } from '../../assertions.ts';
import { ALLOW_ALL, type Bench, type TraceLine } from '../bench.ts';
import { assertStatus, type ConformanceCase, trace } from '../case.ts';

/** A session with one of everything: a resolve, an execution, a denial, the end. */
async function play(bench: Bench, goal = 'Run the suite') {
  const rules = [ALLOW_ALL, { policy_id: 'no', type: 'deny', actions: ['a.put'] }];
  await bench.loadRules(rules, ['a.get', 'a.put']);
  const session = await bench.start({ goal });
  const { resolution_id } = await bench.resolve(session, { task: { goal } });
  for (const id of ['a.get', 'a.put'])
    await bench.execute(session, { resolution_id, action_id: bench.action(id), parameters: { x: 1 } });
  await bench.end(session);
  return { bench, session, events: await bench.trace(session) };
}

/** A case about that session and its trace. */
const played = (
  id: string,
  covers: readonly string[],
  run: (session: Awaited<ReturnType<typeof play>>) => Promise<void> | void,
): ConformanceCase => trace(id, covers, async (bench) => run(await play(bench)));

const typesOf = (events: readonly TraceLine[]) => events.map(({ event_type }) => event_type);
const ofType = (events: readonly TraceLine[], type: string) =>
  events.filter((event) => event.event_type === type);

function assertHas(events: readonly TraceLine[], type: string, members: readonly string[]): void {
  const [event] = ofType(events, type);
  assert(event !== undefined, `no ${type}`, typesOf(events));
  for (const member of members) assert(member in event.payload, `${type} has no ${member}`, event.payload);
}

const parsed = (event: unknown) => fromPlain(event) as unknown as TraceEvent;

function assertChain(bench: Bench, events: readonly TraceEvent[]): void {
  const verifier = createChainVerifier(bench.deps.hasher, { mode: 'lenient' });
  for (const event of events) verifier.push(event);
  const report = verifier.finish();
  assert(report.valid && report.ended, 'the chain does not verify', report.errors);
}

function assertHash({ deps }: Bench, event: TraceLine): void {
  assertEqual(event.event_hash, eventHash(deps.hasher, parsed(event)), `hash of event ${event.sequence}`);
}

const PAYLOADS: readonly (readonly [string, string, readonly string[]])[] = [
  ['R38', 'session.started', ['agent_id', 'goal']],
  ['R39', 'session.ended', ['reason', 'duration_ms']],
  ['R40', 'carp.request.received', ['request_id', 'operation', 'goal']],
  ['R41', 'carp.resolution.completed', ['resolution_id', 'decision_type', 'allowed_count', 'denied_count']],
  ['R43', 'action.requested', ['action_id', 'parameters_hash']],
  ['R44', 'action.approved', ['action_id', 'resolution_id']],
  ['R45', 'action.denied', ['action_id', 'reason', 'policy_id']],
  ['R46', 'action.executed', ['action_id', 'execution_id', 'duration_ms']],
  ['R48', 'policy.evaluated', ['policy_id', 'result']],
  ['R49', 'policy.violated', ['policy_id', 'violation_type', 'details']],
];

export const traceConformance: readonly ConformanceCase[] = [
  ...PAYLOADS.map(([requirement, type, members]) =>
    played(`trace.payload.${type}`, [requirement], ({ events }) => assertHas(events, type, members)),
  ),
  trace('trace.payload.action.failed', ['R47'], async (bench) => {
    await bench.loadRules([ALLOW_ALL], [{ action_id: 'a.get', executor: 'no-such-executor' }]);
    const session = await bench.start();
    const { resolution_id } = await bench.resolve(session);
    const { json } = await bench.execute(session, { resolution_id, action_id: bench.action('a.get') });
    assertEqual(json?.status, 'error', 'status');
    assertHas(await bench.trace(session), 'action.failed', ['action_id', 'error_code', 'error_message']);
  }),
  trace('trace.payload.carp.resolution.cached', ['R42'], async (bench) => {
    await bench.loadRules([ALLOW_ALL], ['a.get']);
    const session = await bench.start();
    const first = await bench.resolve(session);
    const second = await bench.resolve(session);
    if (first.resolution_id !== second.resolution_id) return;
    assertHas(await bench.trace(session), 'carp.resolution.cached', ['resolution_id', 'cache_hit']);
  }),
  played('trace.schema', ['R33', 'R34', 'R37', 'R97'], ({ bench, events }) => {
    for (const event of events) bench.fits('trace-event', event);
  }),
  played('trace.hash', ['R52', 'R98', 'R114'], ({ bench, events }) => {
    for (const event of events) assertHash(bench, event);
  }),
  trace('trace.hash.other_scripts', ['R52', 'R81', 'R83', 'R114'], async (bench) => {
    const { events } = await play(bench, 'Größe prüfen: 注文 🧾 "quoted" \\ back');
    assertHash(bench, events[0] as TraceLine);
  }),
  played('trace.genesis', ['R53'], ({ events: [first] }) => {
    const { event_type, sequence, previous_event_hash, parent_span_id } = first as TraceLine;
    assertEqual([event_type, sequence], ['session.started', 0], 'first event');
    assertEqual([previous_event_hash, parent_span_id], [GENESIS_HASH, null], 'what precedes the first event');
  }),
  played('trace.chain', ['R35', 'R55', 'R56', 'R82', 'R84'], ({ bench, events }) =>
    assertChain(bench, events.map(parsed)),
  ),
  played('trace.sequence', ['R35'], ({ events }) => {
    const sequences = events.map(({ sequence }) => sequence);
    assertEqual(sequences, [...events.keys()], 'sequences');
  }),
  played('trace.timestamps', ['R36'], ({ events }) => {
    const stamps = events.map(({ timestamp }) => String(timestamp));
    for (const stamp of stamps)
      assert(/\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(stamp), `${stamp} has no microseconds`);
    assertEqual([...stamps].sort(), stamps, 'order of timestamps');
  }),
  played('trace.ids', ['R34'], ({ events }) => {
    const ids = events.map(({ event_id: id }) => String(id));
    assertEqual(new Set(ids).size, ids.length, 'distinct event ids');
    for (const id of ids) assert(id[14] === '7', `${id} is not a UUIDv7`);
  }),
  played('trace.one_trace_id', ['R34'], ({ events, session }) => {
    assertEqual(new Set(events.map(({ trace_id: id }) => id)).size, 1, 'trace ids');
    assertEqual([...new Set(events.map(({ session_id: id }) => id))], [session], 'session ids');
  }),
  played('trace.parents', ['R34'], ({ events }) => {
    for (const event of events.slice(1))
      assert(typeof event.parent_span_id === 'string', `event ${event.sequence} has no parent`);
  }),
  played('trace.order.resolve', ['R40', 'R48'], ({ events }) => {
    const evaluated = ['policy.evaluated', 'policy.evaluated'];
    const expected = ['session.started', 'carp.request.received', ...evaluated, 'carp.resolution.completed'];
    assertEqual(typesOf(events.slice(0, 5)), expected, 'order');
  }),
  played('trace.order.execute', ['R43', 'R44', 'R46'], ({ events }) => {
    const expected = ['action.requested', 'policy.evaluated', 'action.approved', 'action.executed'];
    assertEqual(typesOf(events.slice(5, 9)), expected, 'order');
  }),
  played('trace.evaluations', ['R48', 'R101'], ({ bench, events }) => {
    const found = ofType(events, 'policy.evaluated')
      .slice(0, 2)
      .map(({ payload }) => [payload.policy_id, payload.result, payload.action_id]);
    const expected = [
      ['all', 'allow', bench.action('a.get')],
      ['no', 'deny', bench.action('a.put')],
    ];
    assertEqual(found, expected, 'policy.evaluated');
  }),
  played('trace.counts', ['R41', 'R101'], ({ events }) => {
    const { payload } = ofType(events, 'carp.resolution.completed')[0] as TraceLine;
    const { decision_type, allowed_count, denied_count } = payload;
    assertEqual([decision_type, allowed_count, denied_count], ['partial', 1, 1], 'carp.resolution.completed');
  }),
  played('trace.parameters_hash', ['R43'], ({ bench, events }) => {
    const { payload } = ofType(events, 'action.requested')[0] as TraceLine;
    assertEqual(payload.parameters_hash, bench.deps.hasher.hex('{"x":1}'), 'parameters_hash');
  }),
  played('trace.refusals_are_traced', ['R31', 'R45'], ({ events }) =>
    assertEqual(ofType(events, 'action.denied').length, 1, 'action.denied'),
  ),
  played('trace.ended_once', ['R39', 'R62'], async ({ bench, session, events }) => {
    assertEqual(events.at(-1)?.event_type, 'session.ended', 'last event');
    const { status } = await bench.end(session);
    assert(status === 409 || status === 404, `a second end got ${status}`);
    assertEqual((await bench.trace(session)).length, events.length, 'events');
  }),
  ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    played(
      `trace.append_only.${method.toLowerCase()}`,
      ['R62', 'R111'],
      async ({ bench, session, events }) => {
        const body = method === 'DELETE' ? undefined : [];
        const { status } = await bench.send(method, `/v1/traces/${session}`, body);
        assert(status >= 400, `${method} got ${status}`);
        assertEqual((await bench.trace(session)).length, events.length, 'events');
      },
    ),
  ),
  played('trace.http.verify', ['R54', 'R98'], async ({ bench, session, events }) => {
    const { status, json } = await bench.send('POST', `/v1/traces/${session}/verify`);
    assertEqual([status, json?.valid, json?.event_count], [200, true, events.length], 'report');
  }),
  trace('trace.http.unknown', ['R91'], async (bench) =>
    assertStatus(await bench.send('GET', `/v1/traces/${bench.id()}`), 404),
  ),
  played('trace.http.since', ['R91'], async ({ bench, session, events }) => {
    const found = await bench.trace(session, '?since_sequence=3&limit=2');
    const sequences = (list: readonly TraceLine[]) => list.map(({ sequence }) => sequence);
    assertEqual(sequences(found), sequences(events.slice(4, 6)), 'events');
  }),
  played('trace.http.filter', ['R91'], async ({ bench, session }) => {
    const found = await bench.trace(session, '?event_type=action.executed');
    assertEqual(typesOf(found), ['action.executed'], 'events');
  }),
  played('trace.jsonl', ['R85', 'R112'], async ({ bench, session, events }) => {
    const headers = { accept: 'application/vnd.cra.trace+jsonl' };
    const reply = await bench.send('GET', `/v1/traces/${session}`, undefined, { headers });
    assert(reply.headers.get('content-type')?.includes('jsonl'), 'another content type');
    assert(!reply.text.includes('\r'), 'lines end with more than LF');
    const lines = reply.text.split('\n').filter((line) => line !== '');
    assertEqual(lines.length, events.length, 'lines');
    assertChain(
      bench,
      lines.map((line) => readJson(line) as unknown as TraceEvent),
    );
  }),
  trace('replay.same_request_same_answer', ['R57', 'R100'], async (bench) => {
    await bench.loadRules([{ ...ALLOW_ALL, actions: ['a.get'] }], ['a.get', 'a.put']);
    const resolve = async () => {
      const resolution = await bench.resolve(await bench.start());
      const { decision, allowed_actions, denied_actions, constraints, context_blocks } = resolution;
      return { decision, allowed_actions, denied_actions, constraints, context_blocks };
    };
    assertEqual(await resolve(), await resolve(), 'resolution');
  }),
];
