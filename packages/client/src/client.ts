import { BatonRequestError, overTheLine } from './error.ts';
import { buildRequest } from './request.ts';
import { readEvents } from './sse.ts';
import { type CallableOperation, operations } from './table.ts';
import type { Arguments, Operations, Result } from './types.ts';

export interface ClientOptions {
  /** Where the server is; a page served by it may leave this out. */
  readonly url?: string;
  /** An API key or JWT; a page signed in by its cookie has none. */
  readonly token?: string;
  /** Sent with every request, such as a page's CSRF token. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

type NamesOf<Kind extends string> = {
  [Name in keyof Operations & string]: Operations[Name] extends { readonly kind: Kind } ? Name : never;
}[keyof Operations & string];

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

export interface Client {
  call<Name extends NamesOf<'call'>>(
    name: Name,
    input: Arguments<Operations[Name]>,
    options?: CallOptions,
  ): Promise<Result<Operations[Name]>>;
  /**
   * Reconnects by itself and goes on after the last item seen; ends when the signal fires. A stream that cannot go on
   * where it was, such as `relay.stream`, which sends a message, is asked for once and ends with its answer.
   */
  stream<Name extends NamesOf<'stream'>>(
    name: Name,
    input: Arguments<Operations[Name]>,
    options?: CallOptions & { readonly after?: string; readonly onState?: (live: boolean) => void },
  ): AsyncGenerator<{ id: string; event: string; data: Result<Operations[Name]> }>;
  /** For tools that choose an operation at run time. */
  send(
    operation: CallableOperation,
    flat: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Response>;
}

const RECONNECT_MS = 1000;

/** Somebody between the server and us answered, such as a proxy with a page of its own. */
const NO_JSON = {
  error: {
    code: 'unreadable_answer',
    message: 'The answer is not JSON.',
    next: 'Check that nothing between you and the server answers in its place.',
  },
};

export function createClient(options: ClientOptions = {}): Client {
  const doFetch = options.fetch ?? fetch;
  const base = (options.url ?? '').replace(/\/$/, '');

  async function send(
    operation: CallableOperation,
    flat: Readonly<Record<string, unknown>>,
    { signal, idempotencyKey }: CallOptions = {},
    extra: Record<string, string> = {},
  ): Promise<Response> {
    const request = buildRequest(operation, flat);
    const asked = doFetch.bind(undefined, `${base}${request.target}`, {
      method: request.method,
      headers: {
        ...options.headers,
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...request.headers,
        ...extra,
      },
      ...(request.body !== undefined && { body: request.body }),
      ...(signal && { signal }),
    });
    return overTheLine(asked, signal);
  }

  return {
    send,
    async call(name, input, callOptions) {
      const operation = operations[name];
      const response = await send(operation, input as Record<string, unknown>, callOptions);
      const text = await overTheLine(() => response.text(), callOptions?.signal);
      if (!response.ok) throw new BatonRequestError(response.status, parsed(text));
      const isText = response.headers.get('content-type')?.startsWith('text/');
      const body = isText && text !== '' ? text : parsed(text);
      if (body === undefined && text !== '') throw new BatonRequestError(response.status, NO_JSON);
      return body as never;
    },
    async *stream(name, input, streamOptions = {}) {
      const operation = operations[name];
      const { signal, onState } = streamOptions;
      const canGoOn = operation.input.headers?.shape['last-event-id'] !== undefined;
      let after = streamOptions.after;
      while (!signal?.aborted) {
        try {
          const resume = after === undefined ? {} : { 'last-event-id': after };
          const response = await send(operation, input as Record<string, unknown>, streamOptions, resume);
          if (!response.ok || !response.body) {
            throw new BatonRequestError(response.status, parsed(await response.text()));
          }
          onState?.(true);
          for await (const item of readEvents(response.body)) {
            after = item.id;
            yield { id: item.id, event: item.event, data: JSON.parse(item.data) };
          }
        } catch (error) {
          if (signal?.aborted) return;
          if (!canGoOn || (error instanceof BatonRequestError && error.status < 500)) throw error;
        }
        onState?.(false);
        if (!canGoOn) return;
        await pause(RECONNECT_MS, signal);
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
