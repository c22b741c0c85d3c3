import type { Database } from '../../../spine/storage/database.ts';
import { linesType } from '../media-types.ts';
import type { TraceFilter, Traces } from './read.ts';

export interface TraceQuery {
  readonly event_type?: string | undefined;
  readonly since_sequence?: number | undefined;
  readonly limit?: number | undefined;
  readonly envelope?: boolean | undefined;
}

const encoder = new TextEncoder();

/** A whole trace of any length, streamed: an array, an array in an envelope, or one event per line. */
export async function traceResponse(
  db: Database,
  traces: Traces,
  sessionId: string,
  query: TraceQuery,
  accept: string | null,
): Promise<Response> {
  const filter: TraceFilter = {
    eventType: query.event_type,
    sinceSequence: query.since_sequence,
    limit: query.limit,
  };
  const lines = linesType(accept);
  if (lines !== undefined) {
    return streamed(lines, traces.lines(sessionId, filter), { before: '', between: '\n', after: '\n' });
  }
  if (!query.envelope) {
    return streamed('application/json', traces.lines(sessionId, filter), {
      before: '[',
      between: ',',
      after: ']',
    });
  }
  const { total, last } = await db.read((reader) => traces.page(reader, sessionId, { limit: 1 }));
  return streamed('application/json', traces.lines(sessionId, filter), {
    before: `{"session_id":"${sessionId}","total":${total},"last_sequence":${last},"events":[`,
    between: ',',
    after: ']}',
  });
}

interface Frame {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function streamed(type: string, lines: AsyncGenerator<string>, frame: Frame): Response {
  let first = true;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (frame.before !== '') controller.enqueue(encoder.encode(frame.before));
    },
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) {
        // An empty trace in lines is an empty body.
        if (!(first && frame.before === '')) controller.enqueue(encoder.encode(frame.after));
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(first ? value : `${frame.between}${value}`));
      first = false;
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
}
