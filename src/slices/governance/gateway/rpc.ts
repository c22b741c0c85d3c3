import { INTERNAL_ERROR, METHOD_NOT_FOUND } from '@modelcontextprotocol/server';

export type Params = Readonly<Record<string, unknown>>;
type Id = string | number;

interface Message {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface SendOptions {
  /** The request of the other side that this belongs to: over HTTP it travels on that request's stream. */
  readonly relatedRequestId?: Id;
  /** Over HTTP: the stream that the answer was to come by has ended. */
  readonly onRequestStreamEnd?: () => void;
}

/** What the SDK's transports have in common, of clients and of servers. */
export interface Wire {
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  start(): Promise<void>;
  send(message: never, options?: SendOptions): Promise<void>;
  close(): Promise<void>;
}

/** An error as the other side gave it, to be passed on as it is. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** No answer will come: the connection ended, or the request never left. */
export class RpcLost extends Error {
  /** Whether the other side may have begun with it. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause });
    this.sent = sent;
  }
}

export interface Serving {
  readonly id: Id;
  /** Fires when the other side cancels its request, and when the connection ends. */
  readonly signal: AbortSignal;
}

export interface RpcHandlers {
  /** The result is sent as it is; throw an `RpcError` to answer with one. */
  request(method: string, params: Params, serving: Serving): Promise<Params>;
  notification(method: string, params: Params): void;
  closed(): void;
  failed?(error: unknown): void;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Gets the progress notices of the request, without their token. */
  readonly onProgress?: ((params: Params) => void) | undefined;
  readonly relatedRequestId?: Id | undefined;
}

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((params: Params) => void) | undefined;
}

/**
 * JSON-RPC over one of the SDK's transports. The SDK's own client and server parse what passes into the members that they
 * know, and answer some of it themselves; whoever only passes messages on must leave them as they are.
 */
export class Rpc {
  readonly #wire: Wire;
  readonly #handlers: RpcHandlers;
  readonly #waiting = new Map<number, Waiting>();
  readonly #serving = new Map<Id, AbortController>();
  #lastId = 0;
  #closed = false;

  constructor(wire: Wire, handlers: RpcHandlers) {
    this.#wire = wire;
    this.#handlers = handlers;
  }

  async open(): Promise<void> {
    this.#wire.onmessage = (message: never) => this.#receive(message as Message);
    this.#wire.onclose = () => this.#end();
    this.#wire.onerror = (error) => this.#handlers.failed?.(error);
    await this.#wire.start();
  }

  async close(): Promise<void> {
    await this.#wire.close().catch((error: unknown) => this.#handlers.failed?.(error));
    this.#end();
  }

  request(method: string, params: Params, options: RequestOptions = {}): Promise<Params> {
    const { signal, onProgress, relatedRequestId } = options;
    if (this.#closed) return Promise.reject(new RpcLost('The connection is closed.', false));
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise<Params>((resolve, reject) => {
      const cancel = () => {
        if (!this.#waiting.delete(id)) return;
        this.notify('notifications/cancelled', { requestId: id, reason: 'The caller cancelled it.' });
        reject(signal?.reason);
      };
      const over = () => {
        signal?.removeEventListener('abort', cancel);
        return this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        resolve: (result) => {
          over();
          resolve(result);
        },
        reject: (error) => {
          over();
          reject(error);
        },
        onProgress,
      });
      signal?.addEventListener('abort', cancel, { once: true });
      const message = { jsonrpc: '2.0', id, method, params: onProgress ? withToken(params, id) : params };
      this.#wire
        .send(message as never, {
          ...(relatedRequestId !== undefined && { relatedRequestId }),
          onRequestStreamEnd: () => this.#lose(id, 'The answer broke off.', true),
        })
        .catch((cause: unknown) => this.#lose(id, textOf(cause), wasSent(cause), cause));
    });
  }

  notify(method: string, params: Params, related: SendOptions = {}): void {
    if (this.#closed) return;
    this.#send({ jsonrpc: '2.0', method, params }, related);
  }

  #send(message: object, options: SendOptions = {}): void {
    this.#wire.send(message as never, options).catch((error: unknown) => this.#handlers.failed?.(error));
  }

  #receive(message: Message): void {
    if (message.method === undefined) this.#settle(message);
    else if (message.id !== undefined) void this.#serve(message.id, message.method, message.params ?? {});
    else this.#notice(message.method, message.params ?? {});
  }

  #settle({ id, result, error }: Message): void {
    const waiting = this.#waiting.get(id as number);
    if (!waiting) return;
    if (error) waiting.reject(new RpcError(error.code, error.message, error.data));
    else waiting.resolve(result ?? {});
  }

  #lose(id: number, why: string, sent: boolean, cause?: unknown): void {
    this.#waiting.get(id)?.reject(new RpcLost(why, sent, cause));
    if (cause !== undefined) this.#handlers.failed?.(cause);
  }

  async #serve(id: Id, method: string, params: Params): Promise<void> {
    const control = new AbortController();
    this.#serving.set(id, control);
    let answer: object;
    try {
      answer = { result: await this.#handlers.request(method, params, { id, signal: control.signal }) };
    } catch (thrown) {
      answer = { error: errorOf(thrown) };
      if (!(thrown instanceof RpcError) && !control.signal.aborted) this.#handlers.failed?.(thrown);
    }
    this.#serving.delete(id);
    // Whoever has cancelled a request expects no answer to it.
    if (control.signal.aborted || this.#closed) return;
    this.#send({ jsonrpc: '2.0', id, ...answer }, { relatedRequestId: id });
  }

  #notice(method: string, params: Params): void {
    if (method === 'notifications/cancelled') {
      this.#serving.get(params.requestId as Id)?.abort(new Error('cancelled'));
    } else if (method === 'notifications/progress' && this.#waiting.has(params.progressToken as number)) {
      this.#waiting.get(params.progressToken as number)?.onProgress?.(params);
    } else this.#handlers.notification(method, params);
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { reject } of [...this.#waiting.values()]) reject(new RpcLost('The connection ended.', true));
    for (const control of this.#serving.values()) control.abort(new Error('The connection ended.'));
    this.#handlers.closed();
  }
}

function withToken(params: Params, progressToken: number): Params {
  return { ...params, _meta: { ...(params._meta as object | undefined), progressToken } };
}

/** Whether the caller wants progress notices. */
export function tokenOf(params: Params): Id | undefined {
  return (params._meta as { readonly progressToken?: Id } | undefined)?.progressToken;
}

function errorOf(thrown: unknown): object {
  if (!(thrown instanceof RpcError)) return { code: INTERNAL_ERROR, message: textOf(thrown) };
  const { code, message, data } = thrown;
  return { code, message, ...(data !== undefined && { data }) };
}

export function methodNotFound(method: string): RpcError {
  return new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`);
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A connection that was refused has carried nothing. */
function wasSent(cause: unknown): boolean {
  const code = (cause as { readonly cause?: { readonly code?: string } } | null)?.cause?.code;
  return code !== 'ECONNREFUSED' && code !== 'ENOTFOUND';
}
