import { parseInstant } from '../../../../kernel/instant.ts';
import { asDoc, isDoc, isNonBlank, isText } from '../../document.ts';
import { EVENT_TYPES, TURN_EVENTS } from './event-types.ts';

export function eventFaults(event: unknown): readonly string[] {
  if (!isDoc(event)) return ['An event is a JSON object.'];
  const faults: string[] = [];
  if (!isNonBlank(event.event_id)) faults.push('event_id is missing.');
  if (!isText(event.event_type) || !EVENT_TYPES.has(event.event_type)) {
    faults.push(`event_type ${JSON.stringify(event.event_type) ?? '(none)'} is unknown.`);
  }
  if (instantOf(event.timestamp) === undefined) faults.push('timestamp is no RFC 3339 instant.');
  if (
    isText(event.event_type) &&
    TURN_EVENTS.has(event.event_type) &&
    !isNonBlank(asDoc(event.turn).turn_id)
  ) {
    faults.push(`${event.event_type} needs turn.turn_id.`);
  }
  return faults;
}

export function instantOf(timestamp: unknown): number | undefined {
  return isText(timestamp) ? parseInstant(timestamp)?.micros : undefined;
}
