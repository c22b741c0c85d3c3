import { lineDiff } from './line-diff.ts';
import type { Recorded, RecordedPiece, RecordedSource } from './recorded.ts';
import type { ComparedExchange } from './schema.ts';

/** How much of each text is shown. */
export interface Room {
  readonly text: number;
  readonly pieces: number;
  readonly lines: number;
}

export const BRIEF: Room = { text: 1_000, pieces: 0, lines: 40 };
export const WHOLE: Room = { text: 70_000, pieces: 64, lines: 400 };

type Change = ComparedExchange['changes'][number];

/** What came of a message the first time and this time, side by side. Times always differ and are no change. */
export function comparedExchange(
  original: Recorded | undefined,
  replayed: Recorded | undefined,
  isStream: boolean,
  room: Room,
): ComparedExchange {
  const changes = original && replayed ? changesOf(original, replayed, isStream) : [];
  const hasTexts = changes.includes('text') || changes.includes('artifacts');
  const diff =
    original && replayed && hasTexts
      ? lineDiff(wholeText(original), wholeText(replayed), room.lines)
      : undefined;
  return {
    changes,
    original: original ? sideOf(original, room) : null,
    replayed: replayed ? sideOf(replayed, room) : null,
    ...(original && replayed && { latency_ratio: ratio(replayed.latencyMs, original.latencyMs) }),
    ...(diff && diff.lines.length > 0 && { text_diff: [...diff.lines], text_diff_cut: diff.cut }),
    ...(isStream && room.pieces > 0 && { pieces: besides(original?.pieces, replayed?.pieces, room) }),
  };
}

function changesOf(a: Recorded, b: Recorded, isStream: boolean): Change[] {
  const changes: Change[] = [];
  if (a.state !== b.state) changes.push('state');
  if (a.isTask !== b.isTask) changes.push('kind');
  if (JSON.stringify(a.error) !== JSON.stringify(b.error)) changes.push('error');
  // Digests are of what was said; texts are of what was kept, and are only asked where a side has no digest.
  const isSameText = a.digest && b.digest ? a.digest === b.digest : a.text === b.text;
  if (!isSameText) changes.push('text');
  if (othersOf(a) !== othersOf(b)) changes.push('parts');
  if (artifactsOf(a, isSameText) !== artifactsOf(b, isSameText)) changes.push('artifacts');
  if (isStream && piecesDiffer(a, b)) changes.push('pieces');
  return changes;
}

function othersOf({ sources }: Recorded): string {
  return JSON.stringify(sources.map(({ others }) => others));
}

/** Which there are; and what each says, where all of them together say the same. */
function artifactsOf({ sources }: Recorded, isSameText: boolean): string {
  return JSON.stringify(sources.map(({ source, text }) => (isSameText ? [source, text] : source)));
}

function piecesDiffer(a: Recorded, b: Recorded): boolean {
  const textsOf = ({ pieces }: Recorded) => JSON.stringify(pieces.map(({ text, parts }) => [text, parts]));
  return a.count !== b.count || textsOf(a) !== textsOf(b);
}

function wholeText({ sources, text }: Recorded): string {
  return sources.length > 1 ? sources.map((one) => `[${one.source}]\n${one.text}`).join('\n') : text;
}

function sideOf(recorded: Recorded, room: Room): NonNullable<ComparedExchange['original']> {
  const { error, sources } = recorded;
  return {
    trace_id: recorded.traceId,
    span_id: recorded.spanId,
    state: recorded.state ?? null,
    kind: recorded.isTask ? 'task' : 'message',
    error: error
      ? {
          failure_class: error.failureClass ?? null,
          code: error.code ?? null,
          message: error.message === undefined ? null : cut(error.message, room.text),
        }
      : null,
    ...(recorded.httpStatus !== undefined && { http_status: recorded.httpStatus }),
    latency_ms: recorded.latencyMs,
    ...(recorded.firstEventMs !== undefined && { first_event_ms: recorded.firstEventMs }),
    ...(recorded.digest !== undefined && { text_digest: recorded.digest }),
    text: cut(recorded.text, room.text),
    artifacts: sources.filter(isArtifact).length,
    parts: sources.flatMap(partsOf(room)),
    pieces: recorded.count,
  };
}

function isArtifact({ source }: RecordedSource): boolean {
  return source.startsWith('artifact');
}

const MOST_PARTS = 50;

function partsOf(room: Room) {
  return ({ source, text, others }: RecordedSource) => [
    ...(text === '' ? [] : [{ source, kind: 'text', value: cut(text, room.text) }]),
    ...others
      .slice(0, MOST_PARTS)
      .map((part) => ({ source, kind: kindOf(part), value: cut(JSON.stringify(part), room.text) })),
  ];
}

function kindOf(part: RecordedSource['others'][number]): string {
  if ('data' in part) return 'data';
  return 'file' in part || 'url' in part ? 'file' : 'other';
}

function besides(
  a: readonly RecordedPiece[] = [],
  b: readonly RecordedPiece[] = [],
  room: Room,
): NonNullable<ComparedExchange['pieces']> {
  const shown = (piece: RecordedPiece | undefined) =>
    piece ? { after_ms: piece.afterMs, parts: piece.parts, text: cut(piece.text, MOST_PIECE) } : null;
  return Array.from({ length: Math.min(Math.max(a.length, b.length), room.pieces) }, (_, at) => ({
    same: a[at]?.text === b[at]?.text && a[at]?.parts === b[at]?.parts,
    original: shown(a[at]),
    replayed: shown(b[at]),
  }));
}

const MOST_PIECE = 500;

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function ratio(now: number, before: number): number {
  return before > 0 ? Math.round((now / before) * 100) / 100 : 0;
}
