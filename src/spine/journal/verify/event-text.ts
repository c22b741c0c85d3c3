/**
 * Events as two texts each: handing a cell over from the engine costs as much as hashing an event, so a row comes as the
 * preimage of its hash, and one that lists its fields.
 * For speed: verifying a journal takes 1.8 times as long column by column.
 */
import { openedOrStored, type PayloadCodec } from '../events/payload-codec.ts';
import { type CheckedEvent, checkedEventsOf, isTimeOf } from './checked-event.ts';

export interface EventText {
  readonly preimage: string | null;
  readonly fields: string;
}

/** Fields of fixed length first, so that their positions are fixed. The project, which may be any text, is last. */
export const TEXT_COLUMNS = `case when payload is null then null else concat('1.0', event_id, trace_id, span_id,
    parent_span_id, chain_id, sequence, timestamp, event_type, payload, previous_event_hash) end as preimage,
  concat_ws(' ', event_hash, previous_event_hash, chain_id, trace_id, event_id, span_id, timestamp,
    coalesce(parent_span_id, '-'), sequence, coalesce(leaf, -1), coalesce(project_seq, -1), time_us,
    coalesce('+' || run_length, '-'), coalesce('+' || run_hashes, '-'), event_type, project_id) as fields`;

/** Where the fixed fields end: hash, link, chain, trace, event, span, timestamp. */
const ENDS = [64, 129, 166, 203, 240, 277, 305] as const;
const ID = 36;
const TIMESTAMP = 27;
const HASH = 64;
const VERSION = 3;
const SPACE = 0x20;

/**
 * The event, or all events of the row. Undefined when a field does not have its length. That the lengths fit is all that is needed here: what the fields hold
 * is pinned by the hash, and with their lengths fixed no character can have moved from one to another.
 */
export function readEventText(
  { preimage, fields }: EventText,
  payloads: PayloadCodec,
): readonly CheckedEvent[] | undefined {
  for (const end of ENDS) if (fields.charCodeAt(end) !== SPACE) return undefined;
  const parentEnd = fields.indexOf(' ', 306);
  const sequenceEnd = fields.indexOf(' ', parentEnd + 1);
  const leafEnd = fields.indexOf(' ', sequenceEnd + 1);
  const projectSeqEnd = fields.indexOf(' ', leafEnd + 1);
  const timeEnd = fields.indexOf(' ', projectSeqEnd + 1);
  const lengthEnd = fields.indexOf(' ', timeEnd + 1);
  const hashesEnd = fields.indexOf(' ', lengthEnd + 1);
  const typeEnd = fields.indexOf(' ', hashesEnd + 1);
  const parentLength = fields.charAt(306) === '-' ? 0 : parentEnd - 306;
  if (parentLength !== 0 && parentLength !== ID) return undefined;
  const eventType = fields.slice(hashesEnd + 1, typeEnd);
  const time = Number(fields.slice(projectSeqEnd + 1, timeEnd));
  const sequenceLength = sequenceEnd - parentEnd - 1;
  const payloadStart = VERSION + 4 * ID + parentLength + sequenceLength + TIMESTAMP + eventType.length;
  const eventId = fields.slice(204, 240);
  const leaf = numberOrNull(fields.slice(sequenceEnd + 1, leafEnd));
  const projectSeq = numberOrNull(fields.slice(leafEnd + 1, projectSeqEnd));
  const length = markedText(fields.slice(timeEnd + 1, lengthEnd));
  const hashes = markedText(fields.slice(lengthEnd + 1, hashesEnd));
  if (length !== null || hashes !== null) {
    const stored = preimage?.slice(payloadStart, -HASH) ?? null;
    return checkedEventsOf({
      event_id: eventId,
      chain_id: fields.slice(130, 166),
      sequence: Number(fields.slice(parentEnd + 1, sequenceEnd)),
      event_hash: fields.slice(0, 64),
      previous_event_hash: fields.slice(65, 129),
      trace_id: fields.slice(167, 203),
      span_id: fields.slice(241, 277),
      parent_span_id: parentLength === 0 ? null : fields.slice(306, parentEnd),
      project_id: fields.slice(typeEnd + 1),
      event_type: eventType,
      leaf,
      project_seq: projectSeq,
      timestamp: fields.slice(278, 305),
      time_us: time,
      payload: stored && openedOrStored(stored, eventId, payloads),
      run_length: length === null ? null : Number(length),
      run_hashes: hashes,
    });
  }
  const plain = preimage && openPreimage(preimage, payloadStart, eventId, payloads);
  if (plain === undefined) return undefined;
  return [
    {
      eventId,
      chainId: fields.slice(130, 166),
      sequence: Number(fields.slice(parentEnd + 1, sequenceEnd)),
      eventHash: fields.slice(0, 64),
      previousHash: fields.slice(65, 129),
      traceId: fields.slice(167, 203),
      projectId: fields.slice(typeEnd + 1),
      eventType,
      leaf,
      projectSeq,
      time,
      timeFits: isTimeOf(fields.slice(278, 305), time),
      skeleton: () => skeletonIn(fields, sequenceEnd, eventType),
      preimage: plain,
    },
  ];
}

/** As `skeletonText` has it: without the chain, which stands between link and trace. */
function skeletonIn(fields: string, sequenceEnd: number, eventType: string): string {
  return `${fields.slice(0, 129)} ${fields.slice(167, sequenceEnd)} ${eventType}`;
}

/** Undefined if there is no object where the payload should be. */
function openPreimage(
  preimage: string,
  start: number,
  eventId: string,
  payloads: PayloadCodec,
): string | undefined {
  if (isObjectAt(preimage, start)) return preimage;
  const stored = preimage.slice(start, -HASH);
  const payload = openedOrStored(stored, eventId, payloads);
  return payload === stored ? undefined : preimage.slice(0, start) + payload + preimage.slice(-HASH);
}

function isObjectAt(preimage: string, start: number): boolean {
  return preimage.charAt(start) === '{' && preimage.charAt(preimage.length - HASH - 1) === '}';
}

/** `-` stands for null, so that no text does. */
function markedText(field: string): string | null {
  return field === '-' ? null : field.slice(1);
}

function numberOrNull(text: string): number | null {
  return text === '-1' ? null : Number(text);
}
