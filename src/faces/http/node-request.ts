import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type BodyLimits, BodyPieces, isTooSlow } from '../../spine/operations/body.ts';
import { bodyErrors } from '../../spine/operations/errors.ts';
import { bodyTooLarge } from './body.ts';
import type { HttpRequest } from './http-request.ts';

/** A request read from Node's own objects. */
export class NodeRequest implements HttpRequest {
  readonly params: HttpRequest['params'];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #idleSeconds: number;
  #body: Promise<Uint8Array> | undefined;
  #gone: AbortController | undefined;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    params: HttpRequest['params'],
    idleSeconds: number,
  ) {
    this.params = params;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#idleSeconds = idleSeconds;
  }

  get method(): string {
    return this.#incoming.method ?? '';
  }

  get origin(): string {
    const scheme = (this.socket as TLSSocket).encrypted ? 'https' : 'http';
    return `${scheme}://${this.#incoming.headers.host}`;
  }

  get target(): string {
    return this.#incoming.url ?? '';
  }

  get headers(): HttpRequest['headers'] {
    // Only `set-cookie` may occur more than once, and no request has it.
    return this.#incoming.headers as HttpRequest['headers'];
  }

  get socket() {
    return this.#incoming.socket;
  }

  body(limits: BodyLimits): Promise<Uint8Array> {
    this.#body ??= this.#read(limits).then((bytes) => bytes ?? Promise.reject(bodyTooLarge(limits)));
    return this.#body;
  }

  async bytes(most: number): Promise<Uint8Array | undefined> {
    return this.#read({ maxBytes: most, idleSeconds: this.#idleSeconds });
  }

  async #read(limits: BodyLimits): Promise<Uint8Array | undefined> {
    const tooLong = declaredLength(this.#incoming) > limits.maxBytes;
    return tooLong ? undefined : readBytes(this.#incoming, limits);
  }

  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      const leaving = new AbortController();
      this.#gone = leaving;
      this.onGone(() => leaving.abort());
    }
    return this.#gone.signal;
  }

  onGone(listener: () => void): () => void {
    const outgoing = this.#outgoing;
    const closed = () => outgoing.writableFinished || listener();
    if (outgoing.destroyed) listener();
    else outgoing.once('close', closed);
    return () => outgoing.off('close', closed);
  }
}

/** 0 if the request does not declare it. */
export function declaredLength(incoming: IncomingMessage): number {
  return Number(incoming.headers['content-length'] ?? 0);
}

/** A small body that was declared is read to its end, whoever refused it: its connection serves the next request. */
const WORTH_READING = 65_536;

/**
 * Called before the response is sent. A body that nobody has read is still on its way, and may have no end: a connection
 * that is kept would have to read all of it.
 */
export function closeUnlessRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.complete) return;
  const declared = incoming.headers['content-length'];
  if (declared === undefined || Number(declared) > WORTH_READING) outgoing.shouldKeepAlive = false;
}

/** Undefined as soon as there are too many; the rest is left unread. */
function readBytes(incoming: IncomingMessage, limits: BodyLimits): Promise<Uint8Array | undefined> {
  const { maxBytes, idleSeconds } = limits;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces(maxBytes);
    const idle = setTimeout(() => reject(bodyErrors.body_timeout()), idleSeconds * 1000);
    const take = (piece: Buffer) => {
      idle.refresh();
      const fits = pieces.add(piece);
      const tooSlow = fits && isTooSlow(pieces.size, started, limits);
      if (fits && !tooSlow) return;
      clearTimeout(idle);
      incoming.off('data', take).pause();
      if (tooSlow) reject(bodyErrors.body_timeout());
      else resolve(undefined);
    };
    incoming.on('data', take);
    incoming.once('end', () => {
      clearTimeout(idle);
      resolve(pieces.whole());
    });
    // The caller disconnected: nobody reads the response, and this is not our fault.
    incoming.once('error', (cause) => {
      clearTimeout(idle);
      reject(bodyErrors.body_timeout({ cause }));
    });
  });
}
