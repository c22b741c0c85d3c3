import type { Socket } from 'node:net';
import { type Flow, piecesOf } from '../../spine/operations/flow.ts';
import { goneBy, isFlow, type PlainAnswer } from '../../spine/operations/plain.ts';
import { bodyTooLarge, readBody } from './body.ts';
import type { HttpRequest } from './http-request.ts';

/** For a request that came as an object of the web's. */
export function webRequest(
  request: Request,
  params: HttpRequest['params'],
  socket: Socket | undefined,
  idleSeconds: number,
): HttpRequest {
  const { origin, pathname, search } = new URL(request.url);
  let body: Promise<Uint8Array> | undefined;
  return {
    method: request.method,
    origin,
    target: `${pathname}${search}`,
    params,
    headers: Object.fromEntries(request.headers),
    socket,
    body(limits) {
      body ??= readBody(request, limits).then((bytes) => bytes ?? Promise.reject(bodyTooLarge(limits)));
      return body;
    },
    bytes: (most) => readBody(request, { maxBytes: most, idleSeconds }),
    get signal() {
      return request.signal;
    },
    onGone: (listener) => goneBy(request.signal)(listener),
  };
}

export function webResponseOf({ status, headers, body }: PlainAnswer): Response {
  return new Response(isFlow(body) ? webStreamOf(body) : (body as Uint8Array<ArrayBuffer> | string | null), {
    status,
    headers: { ...headers },
  });
}

function webStreamOf(body: Flow): ReadableStream<Uint8Array> {
  const iterator = piecesOf(body)[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
