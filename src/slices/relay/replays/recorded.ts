import { asNumber, asRecords, asText, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { MESSAGE, textOf } from '../a2a/observe.ts';
import { parseJson } from '../a2a/reply.ts';
import { fromKeyValues } from '../otlp/model.ts';
import { ATTR } from '../spans/attribute-registry.ts';
import type { StoredSpan } from '../spans/store.ts';
import { EXCHANGE_SPAN } from './captured.ts';

/** What came of a message, as its spans keep it. */
export interface Recorded {
  readonly traceId: string;
  readonly spanId: string;
  readonly state: string | undefined;
  /** The agent opened a task, or continued one, in place of answering at once. */
  readonly isTask: boolean;
  readonly error: RecordedError | undefined;
  readonly httpStatus: number | undefined;
  /** From the request to the agent until its last byte. */
  readonly latencyMs: number;
  readonly firstEventMs: number | undefined;
  /** SHA-256 of all the text; known whatever is kept of it. */
  readonly digest: string | undefined;
  readonly text: string;
  /** The parts by artifact, in the order in which they came; those of no artifact last. */
  readonly sources: readonly RecordedSource[];
  /** As they came, or as many as a span keeps: neighbours are joined. */
  readonly pieces: readonly RecordedPiece[];
  /** How many there were. */
  readonly count: number;
}

export interface RecordedError {
  readonly failureClass: string | undefined;
  readonly code: number | undefined;
  readonly message: string | undefined;
}

export interface RecordedSource {
  /** `artifact 0` or `message`. */
  readonly source: string;
  readonly text: string;
  readonly others: readonly LooseRecord[];
}

export interface RecordedPiece {
  readonly afterMs: number;
  readonly text: string;
  readonly parts: number;
}

const FORWARD_SPAN = 'a2a.relay.forward';
const REFUSED_SPAN = 'a2a.relay.reject';

/** Of the spans of a trace, those of one exchange: of this span, or of the last one. */
export function recordedOf(spans: readonly StoredSpan[], spanId?: string): Recorded | undefined {
  const own = spans.filter(({ span }) => span.name === EXCHANGE_SPAN || span.name === REFUSED_SPAN);
  const stored = spanId === undefined ? own.at(-1) : own.find(({ span }) => span.spanId === spanId);
  if (!stored) return undefined;
  const { span } = stored;
  const forward = spans.find(
    (one) => one.span.name === FORWARD_SPAN && one.span.parentSpanId === span.spanId,
  )?.span;
  const attributes = fromKeyValues(span.attributes);
  const text = (key: string) => asText(attributes[key]);
  const pieces = (span.events ?? []).filter(({ name }) => name === 'a2a.message.stream_chunk').map(pieceOf);
  const began = BigInt(span.startTimeUnixNano);
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    state: text(ATTR.taskState),
    isTask: text(ATTR.taskId) !== undefined,
    error: span.status?.code === 2 ? errorOf(attributes) : undefined,
    httpStatus: forward && asNumber(fromKeyValues(forward.attributes)[ATTR.httpStatus]),
    latencyMs: durationMs(forward ?? span),
    firstEventMs: asNumber(attributes[ATTR.firstEventMs]),
    digest: text(ATTR.replyDigest),
    text: text(ATTR.replyText) ?? pieces.map((piece) => piece.text).join(''),
    sources: sourcesOf(pieces),
    pieces: pieces.map((piece) => ({
      afterMs: Number(piece.at - began) / 1e6,
      text: piece.text,
      parts: piece.parts.length,
    })),
    count: asNumber(attributes[ATTR.chunkCount]) ?? pieces.length,
  };
}

function errorOf(attributes: LooseRecord): RecordedError {
  return {
    failureClass: asText(attributes[ATTR.failureClass]),
    code: asNumber(attributes[ATTR.rpcErrorCode]),
    message: asText(attributes[ATTR.rpcErrorMessage]),
  };
}

interface Piece {
  readonly at: bigint;
  readonly text: string;
  readonly parts: readonly LooseRecord[];
  readonly sources: readonly string[];
}

type Event = NonNullable<StoredSpan['span']['events']>[number];

function pieceOf({ timeUnixNano, attributes: given }: Event): Piece {
  const attributes = fromKeyValues(given);
  const parts = asRecords(parseJson(String(attributes.parts ?? '')));
  const sources = parseJson(String(attributes.sources ?? ''));
  const text = asText(attributes.text) ?? textOf(parts);
  return {
    at: BigInt(timeUnixNano),
    text,
    // Cut in the middle, it is no JSON any more: what is left of it is its text.
    parts: parts.length > 0 || text === '' ? parts : [{ text }],
    sources: Array.isArray(sources) ? sources.filter((one): one is string => typeof one === 'string') : [],
  };
}

function sourcesOf(pieces: readonly Piece[]): RecordedSource[] {
  const found = new Map<string, { texts: string[]; others: LooseRecord[] }>();
  for (const { parts, sources } of pieces) {
    parts.forEach((part, at) => {
      // The last source holds for all that follow.
      const source = sources[Math.min(at, sources.length - 1)] ?? MESSAGE;
      const own = found.get(source) ?? { texts: [], others: [] };
      found.set(source, own);
      if (typeof part.text === 'string') own.texts.push(part.text);
      else if (isRecord(part)) own.others.push(part);
    });
  }
  return [...found]
    .map(([source, { texts, others }]) => ({ source, text: texts.join(''), others }))
    .sort((a, b) => Number(a.source === MESSAGE) - Number(b.source === MESSAGE));
}

function durationMs({ startTimeUnixNano, endTimeUnixNano }: StoredSpan['span']): number {
  return Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6;
}
