import { uuidV7Source } from '../../src/kernel/ids.ts';
import { formatMicros } from '../../src/kernel/instant.ts';
import type { JsonObject } from '../../src/kernel/json/value.ts';
import { eventHash, GENESIS_HASH } from '../../src/kernel/trace/event.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import type { ResolutionDraft } from '../../src/slices/governance/resolution/rules/resolve.ts';
import { RESOLVE } from './worlds.ts';

const ids = uuidV7Source(systemClock, nodeRandom);

/** Every event of a resolve, chained and hashed, in memory; answers the head. */
export function traced(draft: ResolutionDraft): string {
  const session = ids();
  const trace = ids();
  const span = ids();
  let previous: string = GENESIS_HASH;
  let sequence = 0;
  const emit = (type: string, payload: JsonObject) => {
    previous = eventHash(nodeHasher, {
      trace_version: '1.0',
      event_id: ids(),
      trace_id: trace,
      span_id: span,
      parent_span_id: session,
      session_id: session,
      sequence,
      timestamp: formatMicros(systemClock.now()),
      event_type: type,
      payload,
      previous_event_hash: previous,
    });
    sequence += 1;
  };
  emit('carp.request.received', { request_id: trace, operation: 'resolve', goal: RESOLVE.goal });
  for (const evaluation of draft.evaluations) emit('policy.evaluated', { ...evaluation });
  emit('carp.resolution.completed', {
    resolution_id: span,
    decision_type: draft.outcome.type,
    allowed_count: draft.allowed.length,
    denied_count: draft.denied.length,
  });
  return previous;
}
