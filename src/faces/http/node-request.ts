import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import { type BodyLimits, bodyTooLarge } from './body.ts';
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
    if (declaredLength(this.#incoming) > limits.maxBytes) return undefined;
    return readBytes(this.#incoming, limits);
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

/** Undefined as soon as there are too many; the rest is discarded. */
function readBytes(
  incoming: IncomingMessage,
  { maxBytes, idleSeconds }: BodyLimits,
): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const idle = setTimeout(() => reject(dispatchErrors.body_timeout()), idleSeconds * 1000);
    incoming.on('data', (piece: Buffer) => {
      idle.refresh();
      size += piece.length;
      if (size > maxBytes) resolve(undefined);
      else pieces.push(piece);
    });
    incoming.once('end', () => {
      clearTimeout(idle);
      resolve(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    });
    // The caller disconnected: nobody reads the response, and this is not our fault.
    incoming.once('error', (cause) => {
      clearTimeout(idle);
      reject(dispatchErrors.body_timeout({ cause }));
    });
  });
}
