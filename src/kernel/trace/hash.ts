import type { Hasher } from '../hasher.ts';
import { canonicalAppendixB } from '../json/canonical/appendix-b.ts';
import type { UnhashedTraceEvent } from './shape.ts';

/** CRA Appendix B: eleven fields joined without delimiters, which is why their syntax must be checked as well. */
export function eventPreimage(event: Omit<UnhashedTraceEvent, 'payload'>, canonicalPayload: string): string {
  return (
    event.trace_version +
    event.event_id +
    event.trace_id +
    event.span_id +
    (event.parent_span_id ?? '') +
    event.session_id +
    event.sequence +
    event.timestamp +
    event.event_type +
    canonicalPayload +
    event.previous_event_hash
  );
}

/** Hand in the canonical payload where it is known already. */
export function eventHash(hasher: Hasher, event: UnhashedTraceEvent, canonicalPayload?: string): string {
  return hasher.hex(eventPreimage(event, canonicalPayload ?? canonicalAppendixB(event.payload)));
}
