import type { IncomingMessage } from 'node:http';
import { BatonRequestError } from '../../packages/client/src/error.ts';
import { readEvents } from '../../packages/client/src/sse.ts';
import { cliErrors } from '../faces/cli/errors.ts';
import type { Connection } from '../faces/cli/host.ts';
import { BatonError } from '../kernel/error.ts';
import type { CallableOperation } from '../spine/operations/flat-input.ts';
import type { StreamItem } from '../spine/operations/handler.ts';
import { tokenOf } from './owner-token.ts';
import { findServer } from './server-file.ts';
import { requestsTo, textOf } from './server-request.ts';
import type { Settings } from './settings.ts';

/** To the server that is named or running, else straight on the embedded store. */
export async function connect(settings: Settings): Promise<Connection> {
  const url = settings.url ?? findServer(settings.dataDir)?.url;
  if (url !== undefined) return overHttp(url, tokenOf(settings));
  const { connectEmbedded } = await import('./embedded-connection.ts');
  return connectEmbedded(settings);
}

async function overHttp(url: string, token: string | undefined): Promise<Connection> {
  const requests = await requestsTo(url, token);
  const unreachable = (cause: unknown) => {
    throw cliErrors.server_unreachable({ message: `The server at ${url} does not answer.`, cause });
  };
  const send = async (
    operation: CallableOperation,
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
      const { Readable } = await import('node:stream');
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
