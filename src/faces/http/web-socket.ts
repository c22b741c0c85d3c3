import { upgradeWebSocket } from '@hono/node-server';
import type { Context } from 'hono';
import { jsonTextOf, type StreamItem } from '../../spine/operations/handler.ts';
import type { HttpEnv } from './routes.ts';

/** A reader that lags behind by more than this is disconnected; it resumes from its last event. */
const MOST_BUFFERED_BYTES = 4 * 1024 * 1024;
const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

export function asksForWebSocket(context: Context<HttpEnv>): boolean {
  return context.req.header('upgrade')?.toLowerCase() === 'websocket';
}

/** A stream's items as messages, each the bare data. What the reader sends is ignored. */
export async function webSocketResponse(
  context: Context<HttpEnv>,
  items: AsyncIterable<StreamItem>,
  stop: () => void,
  failed: (error: unknown) => void,
): Promise<Response> {
  const upgrade = upgradeWebSocket(() => ({
    async onOpen(_, socket) {
      try {
        for await (const item of items) {
          if (socket.readyState !== 1) return;
          const { bufferedAmount = 0 } = socket.raw as { bufferedAmount?: number };
          if (bufferedAmount > MOST_BUFFERED_BYTES) return socket.close(TRY_AGAIN_LATER, 'reader too slow');
          socket.send(jsonTextOf(item.data));
        }
        socket.close(GOING_AWAY, 'stream ended');
      } catch (error) {
        failed(error);
        socket.close(1011, 'stream failed');
      } finally {
        stop();
      }
    },
    onClose: stop,
  }));
  return (await upgrade(context, async () => undefined)) as Response;
}
