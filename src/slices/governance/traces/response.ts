import type { z } from 'zod';
import { wireLineOf } from '../../../spine/journal/events/stored-event.ts';
import type { GovernanceDeps } from '../ports.ts';
import { linesType } from '../schema.ts';
import { type TraceFilter, tracePage, traceRows } from './read.ts';
import type { traceQuerySchema } from './schema.ts';

const encoder = new TextEncoder();

/** A whole trace of any length, streamed: an array, an array in an envelope, or one event per line. */
export async function traceResponse(
  deps: GovernanceDeps,
  sessionId: string,
  query: z.infer<typeof traceQuerySchema> & { readonly envelope?: boolean | undefined },
  accept: string | null,
): Promise<Response> {
  const filter: TraceFilter = {
    eventType: query.event_type,
    sinceSequence: query.since_sequence,
    limit: query.limit,
  };
  const lines = traceLines(deps, sessionId, filter);
  const type = linesType(accept);
  if (type !== undefined) return streamed(type, lines, { before: '', between: '\n', after: '\n' });
  if (!query.envelope) return streamed('application/json', lines, { before: '[', between: ',', after: ']' });
  const { total, last } = await deps.db.read((reader) => tracePage(reader, deps, sessionId, { limit: 1 }));
  return streamed('application/json', lines, {
    before: `{"session_id":"${sessionId}","total":${total},"last_sequence":${last},"events":[`,
    between: ',',
    after: ']}',
  });
}

async function* traceLines(
  deps: GovernanceDeps,
  sessionId: string,
  filter: TraceFilter,
): AsyncGenerator<string> {
  for await (const row of traceRows(deps, sessionId, filter)) yield wireLineOf(row);
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
        // In a line format, an empty trace is an empty body.
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
