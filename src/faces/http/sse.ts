import { jsonTextOf, type StreamItem } from '../../spine/operations/handler.ts';

const HEARTBEAT_MS = 15_000;
const encoder = new TextEncoder();

/**
 * A stream of items as server-sent events. Backed by pull: an item is asked for only when the reader has room, so a
 * slow reader holds back its own cursor and nothing else. A stream that fails is reported and ends, and its reader
 * resumes from the last event; as an error of the body, the adapter would print it in between the lines of the log.
 */
export function sseResponse(
  items: AsyncIterable<StreamItem>,
  stop: () => void,
  failed: (error: unknown) => void,
): Response {
  const iterator = items[Symbol.asyncIterator]();
  let heartbeat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('retry: 1000\n\n'));
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': hb\n\n'));
      }, HEARTBEAT_MS);
      heartbeat.unref();
    },
    async pull(controller) {
      const next = await iterator.next().catch((error: unknown) => {
        failed(error);
        return { done: true as const, value: undefined };
      });
      if (next.done) {
        clearInterval(heartbeat);
        controller.close();
      } else {
        controller.enqueue(encoder.encode(sseFrame(next.value)));
      }
    },
    async cancel() {
      clearInterval(heartbeat);
      stop();
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

function sseFrame(item: StreamItem): string {
  return `id: ${item.id}\nevent: ${item.event}\ndata: ${jsonTextOf(item.data)}\n\n`;
}
