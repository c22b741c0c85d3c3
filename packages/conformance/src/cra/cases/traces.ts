/** Sections 4 and 6.2: what is recorded, and how it is chained. */
import { fromPlain } from '../../../../../src/kernel/json/plain.ts';
import { readJson } from '../../../../../src/kernel/json/reader.ts';
import type { JsonObject } from '../../../../../src/kernel/json/value.ts';
import { eventHash, GENESIS_HASH, type TraceEvent } from '../../../../../src/kernel/trace/event.ts';
import { createChainVerifier } from '../../../../../src/kernel/trace/verify-chain.ts';
import type { Bench, TraceLine } from '../bench.ts';
import { type ConformanceCase, expectSame, expectThat } from '../case.ts';

type Run = (bench: Bench) => Promise<void>;
const trace = (id: string, covers: readonly string[], run: Run): ConformanceCase => ({
  id,
  covers,
  area: 'TRACE-Core',
  run,
});

/** One of everything: a resolve, a run, a denial, a bad parameter, the end. */
async function story(
  bench: Bench,
  goal = 'Run the suite',
): Promise<{ session: string; events: TraceLine[] }> {
  await bench.loadRules(
    [
      { policy_id: 'all', type: 'allow' },
      { policy_id: 'no', type: 'deny', actions: ['a.put'] },
    ],
    ['a.get', 'a.put'],
  );
  const session = await bench.start({ goal });
  const resolution = await bench.resolve(session, { task: { goal } });
  for (const id of ['a.get', 'a.put']) {
    await bench.execute(session, {
      resolution_id: resolution.resolution_id,
      action_id: bench.action(id),
      parameters: { x: 1 },
    });
  }
  await bench.send('DELETE', `/v1/sessions/${session}`);
  return { session, events: await bench.trace(session) };
}

const of = (events: readonly TraceLine[], type: string) =>
  events.filter((event) => event.event_type === type);

function has(events: readonly TraceLine[], type: string, members: readonly string[]): void {
  const [event] = of(events, type);
  expectThat(
    event !== undefined,
    `no ${type}`,
    events.map((each) => each.event_type),
  );
  for (const member of members)
    expectThat(member in event.payload, `${type} has no ${member}`, event.payload);
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
    trace(`trace.payload.${type}`, [requirement], async (bench) =>
      has((await story(bench)).events, type, members),
    ),
  ),
  trace('trace.payload.action.failed', ['R47'], async (bench) => {
    await bench.loadRules(
      [{ policy_id: 'all', type: 'allow' }],
      [{ action_id: 'a.get', executor: 'no-such-executor' }],
    );
    const session = await bench.start();
    const { resolution_id } = await bench.resolve(session);
    const { body } = await bench.execute(session, { resolution_id, action_id: bench.action('a.get') });
    expectSame(body?.status, 'error', 'status');
    has(await bench.trace(session), 'action.failed', ['action_id', 'error_code', 'error_message']);
  }),
  trace('trace.payload.carp.resolution.cached', ['R42'], async (bench) => {
    await bench.loadRules([{ policy_id: 'all', type: 'allow' }], ['a.get']);
    const session = await bench.start();
    const first = await bench.resolve(session);
    const second = await bench.resolve(session);
    if (first.resolution_id !== second.resolution_id) return;
    has(await bench.trace(session), 'carp.resolution.cached', ['resolution_id', 'cache_hit']);
  }),
  trace('trace.schema', ['R33', 'R34', 'R37', 'R97'], async (bench) => {
    for (const event of (await story(bench)).events) bench.fits('trace-event', event);
  }),
  trace('trace.hash', ['R52', 'R98', 'R114'], async (bench) => {
    const { hasher } = bench.parts;
    for (const event of (await story(bench)).events) {
      expectSame(
        event.event_hash,
        eventHash(hasher, fromPlain(event) as unknown as TraceEvent),
        `hash of event ${event.sequence}`,
      );
    }
  }),
  trace('trace.hash.other_scripts', ['R52', 'R81', 'R83', 'R114'], async (bench) => {
    const { events } = await story(bench, 'Größe prüfen: 注文 🧾 "quoted" \\ back');
    const [first] = events;
    expectSame(
      first?.event_hash,
      eventHash(bench.parts.hasher, fromPlain(first) as unknown as TraceEvent),
      'hash',
    );
  }),
  trace('trace.genesis', ['R53'], async (bench) => {
    const [first] = (await story(bench)).events;
    expectSame(
      [first?.event_type, first?.sequence, first?.previous_event_hash, first?.parent_span_id],
      ['session.started', 0, GENESIS_HASH, null],
      'first event',
    );
  }),
  trace('trace.chain', ['R35', 'R55', 'R56', 'R82', 'R84'], async (bench) => {
    const verifier = createChainVerifier(bench.parts.hasher, { mode: 'lenient' });
    for (const event of (await story(bench)).events) verifier.push(fromPlain(event) as unknown as TraceEvent);
    const report = verifier.finish();
    expectThat(report.valid && report.ended, 'the chain does not verify', report.errors);
  }),
  trace('trace.sequence', ['R35'], async (bench) => {
    const { events } = await story(bench);
    expectSame(
      events.map(({ sequence }) => sequence),
      events.map((_, at) => at),
      'sequences',
    );
  }),
  trace('trace.timestamps', ['R36'], async (bench) => {
    const stamps = (await story(bench)).events.map(({ timestamp }) => String(timestamp));
    for (const stamp of stamps)
      expectThat(/\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(stamp), `${stamp} has no microseconds`);
    expectSame([...stamps].sort(), stamps, 'order of timestamps');
  }),
  trace('trace.ids', ['R34'], async (bench) => {
    const ids = (await story(bench)).events.map(({ event_id: id }) => String(id));
    expectSame(new Set(ids).size, ids.length, 'distinct event ids');
    for (const id of ids) expectThat(id[14] === '7', `${id} is no UUIDv7`);
  }),
  trace('trace.one_trace_id', ['R34'], async (bench) => {
    const { events, session } = await story(bench);
    expectSame(new Set(events.map(({ trace_id: id }) => id)).size, 1, 'trace ids');
    expectSame(new Set(events.map(({ session_id: id }) => id)), new Set([session]), 'session ids');
  }),
  trace('trace.parents', ['R34'], async (bench) => {
    const { events } = await story(bench);
    for (const event of events.slice(1))
      expectThat(typeof event.parent_span_id === 'string', `event ${event.sequence} has no parent`);
  }),
  trace('trace.order.resolve', ['R40', 'R48'], async (bench) => {
    const types = (await story(bench)).events.slice(0, 5).map(({ event_type: type }) => type);
    expectSame(
      types,
      [
        'session.started',
        'carp.request.received',
        'policy.evaluated',
        'policy.evaluated',
        'carp.resolution.completed',
      ],
      'order',
    );
  }),
  trace('trace.order.execute', ['R43', 'R44', 'R46'], async (bench) => {
    const types = (await story(bench)).events.slice(5, 9).map(({ event_type: type }) => type);
    expectSame(
      types,
      ['action.requested', 'policy.evaluated', 'action.approved', 'action.executed'],
      'order',
    );
  }),
  trace('trace.evaluations', ['R48', 'R101'], async (bench) => {
    const { events } = await story(bench);
    const found = of(events, 'policy.evaluated')
      .slice(0, 2)
      .map(({ payload }) => [payload.policy_id, payload.result, payload.action_id]);
    expectSame(
      found,
      [
        ['all', 'allow', bench.action('a.get')],
        ['no', 'deny', bench.action('a.put')],
      ],
      'policy.evaluated',
    );
  }),
  trace('trace.counts', ['R41', 'R101'], async (bench) => {
    const { payload } = of((await story(bench)).events, 'carp.resolution.completed')[0] as TraceLine;
    expectSame(
      [payload.decision_type, payload.allowed_count, payload.denied_count],
      ['partial', 1, 1],
      'carp.resolution.completed',
    );
  }),
  trace('trace.parameters_hash', ['R43'], async (bench) => {
    const { payload } = of((await story(bench)).events, 'action.requested')[0] as TraceLine;
    expectSame(payload.parameters_hash, bench.parts.hasher.hex('{"x":1}'), 'parameters_hash');
  }),
  trace('trace.refusals_are_traced', ['R31', 'R45'], async (bench) => {
    const { events } = await story(bench);
    expectSame(of(events, 'action.denied').length, 1, 'action.denied');
  }),
  trace('trace.ended_once', ['R39', 'R62'], async (bench) => {
    const { session, events } = await story(bench);
    expectSame(events.at(-1)?.event_type, 'session.ended', 'last event');
    const again = await bench.send('DELETE', `/v1/sessions/${session}`);
    expectThat(again.status === 409 || again.status === 404, `a second end answered ${again.status}`);
    expectSame((await bench.trace(session)).length, events.length, 'events');
  }),
  ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    trace(`trace.append_only.${method.toLowerCase()}`, ['R62', 'R111'], async (bench) => {
      const { session, events } = await story(bench);
      const reply = await bench.send(method, `/v1/traces/${session}`, method === 'DELETE' ? undefined : []);
      expectThat(reply.status >= 400, `${method} answered ${reply.status}`);
      expectSame((await bench.trace(session)).length, events.length, 'events');
    }),
  ),
  trace('trace.http.verify', ['R54', 'R98'], async (bench) => {
    const { session, events } = await story(bench);
    const { status, body } = await bench.send('POST', `/v1/traces/${session}/verify`);
    expectSame([status, body?.valid, body?.event_count], [200, true, events.length], 'report');
  }),
  trace('trace.http.unknown', ['R91'], async (bench) => {
    expectSame((await bench.send('GET', `/v1/traces/${bench.id()}`)).status, 404, 'status');
  }),
  trace('trace.http.since', ['R91'], async (bench) => {
    const { session, events } = await story(bench);
    const { body } = await bench.send('GET', `/v1/traces/${session}?since_sequence=3&limit=2`);
    const found = (Array.isArray(body) ? body : (body?.events ?? [])).map(
      (event: TraceLine) => event.sequence,
    );
    expectSame(
      found,
      events.slice(4, 6).map(({ sequence }) => sequence),
      'events',
    );
  }),
  trace('trace.http.filter', ['R91'], async (bench) => {
    const { session } = await story(bench);
    const { body } = await bench.send('GET', `/v1/traces/${session}?event_type=action.executed`);
    const found = (Array.isArray(body) ? body : (body?.events ?? [])).map(
      (event: TraceLine) => event.event_type,
    );
    expectSame(found, ['action.executed'], 'events');
  }),
  trace('trace.jsonl', ['R85', 'R112'], async (bench) => {
    const { session, events } = await story(bench);
    const reply = await bench.send('GET', `/v1/traces/${session}`, undefined, {
      headers: { accept: 'application/vnd.cra.trace+jsonl' },
    });
    expectThat((reply.headers.get('content-type') ?? '').includes('jsonl'), 'another content type');
    expectThat(!reply.text.includes('\r'), 'lines end with more than LF');
    const verifier = createChainVerifier(bench.parts.hasher, { mode: 'lenient' });
    const lines = reply.text.split('\n').filter((line) => line !== '');
    for (const line of lines) verifier.push(readJson(line) as JsonObject as unknown as TraceEvent);
    expectSame(lines.length, events.length, 'lines');
    expectThat(verifier.finish().valid, 'the lines do not verify');
  }),
  trace('replay.same_request_same_answer', ['R57', 'R100'], async (bench) => {
    await bench.loadRules([{ policy_id: 'all', type: 'allow', actions: ['a.get'] }], ['a.get', 'a.put']);
    const facts = async () => {
      const { decision, allowed_actions, denied_actions, constraints, context_blocks } = await bench.resolve(
        await bench.start(),
      );
      return { decision, allowed_actions, denied_actions, constraints, context_blocks };
    };
    expectSame(await facts(), await facts(), 'resolution');
  }),
];
