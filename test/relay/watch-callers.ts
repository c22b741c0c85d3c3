import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

const STARTED = 'http.server.request.start';

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Follows the requests below `path` from the server's side, which learns of an abort only when the machine has time. */
export function watchCallers(path: string): { allGone(): Promise<void> } {
  const responses: ServerResponse[] = [];
  const note = (message: unknown) => {
    const { request, response } = message as Started;
    if (request.url?.startsWith(path)) responses.push(response);
  };
  subscribe(STARTED, note);
  return {
    /** Resolves once the server has done what it does when a caller is gone. */
    async allGone() {
      unsubscribe(STARTED, note);
      await Promise.all(responses.map((response) => response.closed || once(response, 'close')));
      await setImmediate();
    },
  };
}
