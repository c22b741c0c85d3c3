import { nodeHasher } from '../../platform/index.ts';
import { fakeClock, seededRandom } from '../../platform/testing.ts';
import { uuidV7Source } from '../ids.ts';
import { formatMicros } from '../instant.ts';
import type { JsonObject } from '../json/value.ts';
import { eventHash, GENESIS_HASH, type TraceEvent } from './event.ts';

export interface Step {
  readonly type: string;
  readonly payload: JsonObject;
  readonly nested?: boolean;
}

/** A sound chain of these steps, a millisecond apart. */
export function chainOf(steps: readonly Step[], seed = 1): TraceEvent[] {
  const clock = fakeClock('2026-03-04T05:06:07.890123Z');
  const nextId = uuidV7Source(clock, seededRandom(seed));
  const [traceId, sessionId, rootSpan] = [nextId(), nextId(), nextId()];
  const events: TraceEvent[] = [];
  for (const [sequence, { type, payload, nested = sequence > 0 }] of steps.entries()) {
    clock.advance({ millis: 1 });
    const event = {
      trace_version: '1.0',
      event_id: nextId(),
      trace_id: traceId,
      span_id: sequence === 0 ? rootSpan : nextId(),
      parent_span_id: nested ? rootSpan : null,
      session_id: sessionId,
      sequence,
      timestamp: formatMicros(clock.now()),
      event_type: type,
      payload,
      previous_event_hash: events.at(-1)?.event_hash ?? GENESIS_HASH,
    };
    events.push({ ...event, event_hash: eventHash(nodeHasher, event) });
  }
  return events;
}

/** Links and hashes again from there on, as a forger would. */
export function rehashedFrom(events: readonly TraceEvent[], index: number): TraceEvent[] {
  const chain = events.slice(0, index);
  for (const event of events.slice(index)) {
    const linked = { ...event, previous_event_hash: chain.at(-1)?.event_hash ?? GENESIS_HASH };
    chain.push({ ...linked, event_hash: eventHash(nodeHasher, linked) });
  }
  return chain;
}

export const SESSION: readonly Step[] = [
  { type: 'session.started', payload: { agent_id: 'agent-1', goal: 'Überprüfe 😀 "quoted" \\ text' } },
  { type: 'carp.request.received', payload: { request_id: 'r-1', operation: 'resolve', goal: 'read' } },
  { type: 'policy.evaluated', payload: { policy_id: 'p', result: 'allow', evaluation_ms: 0.25 } },
  { type: 'policy.evaluated', payload: { policy_id: 'q', result: 'deny', action_id: 'a.b' } },
  { type: 'action.denied', payload: { action_id: 'a.b', reason: 'no', policy_id: 'q' }, nested: false },
  {
    type: 'carp.resolution.completed',
    payload: { resolution_id: 'x', decision_type: 'deny', allowed_count: 0, denied_count: 1 },
  },
  { type: 'error.occurred', payload: { list: [1, [], {}, null, true, 1e21, 1e-7], empty: '' } },
  { type: 'session.ended', payload: { reason: 'completed', duration_ms: 7 } },
];
