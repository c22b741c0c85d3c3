import {
  eventHash,
  GENESIS_HASH,
  type TraceEvent,
  traceEventLine,
} from '../../../../src/kernel/trace/event.ts';
import { nodeHasher } from '../../../../src/platform/node-hasher.ts';
import { manifestCases } from './cases/atlases.ts';
import { golden } from './cases/golden.ts';
import { policyCases } from './cases/policies.ts';
import { requestCases } from './cases/requests.ts';

/** The files in `specs/conformance/`: the suite's data, for tests in other languages. */
export function specFiles(): Map<string, string> {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const valid = chain();
  const broken = valid.map((event, at) =>
    at === 2 ? { ...event, payload: { ...event.payload, goal: 'forged' } } : event,
  );
  const relinked = valid.map((event, at) =>
    at === 2 ? { ...event, previous_event_hash: GENESIS_HASH } : event,
  );
  const gap = valid.filter((_, at) => at !== 2);
  return new Map([
    ['schema/carp-request.json', json({ cases: requestCases })],
    ['schema/atlas-manifest.json', json({ cases: manifestCases })],
    ['policy/cases.json', json({ cases: policyCases })],
    [
      'hash-chain/cases.json',
      json({
        cases: [
          { id: 'valid', events: valid, valid: true },
          { id: 'payload_changed', events: broken, valid: false, error: 'hash_mismatch', error_at: 2 },
          { id: 'link_changed', events: relinked, valid: false, error: 'chain_broken', error_at: 2 },
          { id: 'event_missing', events: gap, valid: false, error: 'chain_broken', error_at: 2 },
        ],
      }),
    ],
    ['hash-chain/valid.trace.jsonl', valid.map((event) => `${traceEventLine(event)}\n`).join('')],
    [
      'replay/cases.json',
      json({
        cases: [
          { id: 'identical', a: valid, b: valid, compatibility: 'identical' },
          { id: 'event_missing', a: valid, b: gap, compatibility: 'different' },
        ],
      }),
    ],
    ['golden/library/atlas.json', json(golden.manifest)],
    ['golden/library/task.json', json(golden.task)],
    ['golden/library/expected-resolution.json', json(golden.resolution)],
    ['golden/library/expected-trace.json', json(golden.trace)],
  ]);
}

function chain(): TraceEvent[] {
  const payloads: [string, TraceEvent['payload']][] = [
    ['session.started', { agent_id: 'agent', goal: 'Größe prüfen' }],
    ['carp.request.received', { request_id: id(901), operation: 'resolve', goal: 'Größe prüfen' }],
    ['policy.evaluated', { policy_id: 'p', result: 'allow', action_id: 'a.get' }],
    [
      'carp.resolution.completed',
      { resolution_id: id(902), decision_type: 'allow', allowed_count: 1, denied_count: 0 },
    ],
    ['session.ended', { reason: 'completed', duration_ms: 12 }],
  ];
  let previous: string = GENESIS_HASH;
  return payloads.map(([type, payload], sequence) => {
    const event: TraceEvent = {
      trace_version: '1.0',
      event_id: id(sequence),
      trace_id: id(100),
      span_id: id(200 + sequence),
      parent_span_id: sequence === 0 ? null : id(200),
      session_id: id(300),
      sequence,
      timestamp: `2026-01-01T00:00:00.00000${sequence}Z`,
      event_type: type,
      payload,
      event_hash: '',
      previous_event_hash: previous,
    };
    previous = eventHash(nodeHasher, event);
    return { ...event, event_hash: previous };
  });
}

function id(number: number): string {
  return `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}
