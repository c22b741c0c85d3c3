import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { BatonRequestError } from '../../packages/client/src/error.ts';
import { readEvents } from '../../packages/client/src/sse.ts';
import { cliErrors } from '../faces/cli/errors.ts';
import type { Connection } from '../faces/cli/host.ts';
import { BatonError } from '../kernel/error.ts';
import { partsFromFlat } from '../spine/dispatch/parse.ts';
import type { Operation } from '../spine/operations/define.ts';
import type { StreamItem } from '../spine/operations/handler.ts';
import { readOwnerToken } from './owner-token.ts';
import { findServer } from './server-file.ts';
import { requestsTo, textOf } from './server-request.ts';
import type { Settings } from './settings.ts';

/** To the server that is named or running, else straight on the embedded store. */
export async function connect(settings: Settings): Promise<Connection> {
  const url = settings.url ?? findServer(settings.dataDir)?.url;
  return url === undefined
    ? embedded(settings)
    : overHttp(url, settings.token ?? (await readOwnerToken(settings.dataDir)));
}

async function overHttp(url: string, token: string | undefined): Promise<Connection> {
  const requests = await requestsTo(url, token);
  const unreachable = (cause: unknown) => {
    throw cliErrors.server_unreachable({ message: `The server at ${url} does not answer.`, cause });
  };
  const send = async (
    operation: Operation,
    flat: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<{ readonly answer: IncomingMessage; readonly status: number }> => {
    const answer = await requests.send(operation, flat, signal).catch(unreachable);
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 299) throw refused(status, await textOf(answer).catch(unreachable));
    return { answer, status };
  };
  return {
    where: url,
    async call(operation, flat) {
      const { answer, status } = await send(operation, flat);
      const body = await textOf(answer).catch(unreachable);
      return { status, headers: answer.headers as Record<string, string>, body };
    },
    async *stream(operation, flat, signal): AsyncGenerator<StreamItem> {
      const { answer } = await send(operation, flat, signal);
      const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
      try {
        for await (const { id, event, data } of readEvents(body)) yield { id, event, data: JSON.parse(data) };
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    close: async () => requests.close(),
  };
}

/** The server's own error, as if it had been thrown here. */
function refused(status: number, text: string): BatonError {
  const error = new BatonRequestError(status, safeJson(text));
  return new BatonError(
    error.code,
    { status, message: error.message, next: error.next ?? 'See the server log.', retryable: error.retryable },
    {
      ...(error.pointer !== undefined && { pointer: error.pointer }),
      ...(typeof error.details === 'object' && error.details !== null && { details: { ...error.details } }),
    },
  );
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function embedded(settings: Settings): Promise<Connection> {
  const { openApp } = await import('./compose.ts');
  const app = await openApp(settings);
  const principal = await app.identity.authenticate({
    authorization: `Bearer ${settings.token ?? (await readOwnerToken(settings.dataDir)) ?? ''}`,
  });
  const invocation = (operation: Operation, flat: Readonly<Record<string, unknown>>, signal: AbortSignal) => {
    const bound = app.registry.get(operation.name);
    if (!bound) throw new Error(`no handler is bound to ${operation.name}`);
    return {
      bound,
      invocation: { principal, parts: partsFromFlat(operation, flat), requestId: app.ids(), signal },
    };
  };
  return {
    where: 'embedded',
    call: async (operation, flat) => {
      const prepared = invocation(operation, flat, new AbortController().signal);
      return app.dispatcher.call(prepared.bound, prepared.invocation);
    },
    async *stream(operation, flat, signal) {
      const prepared = invocation(operation, flat, signal);
      yield* await app.dispatcher.stream(prepared.bound, prepared.invocation);
    },
    close: async () => {
      await app.drain();
      await app.close();
    },
  };
}
