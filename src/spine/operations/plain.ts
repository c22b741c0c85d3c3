import type { Flow } from './flow.ts';

/** Requests and answers without the web's objects, whose making costs more than all else that a relay does. */

/** By lower-case name, as they came. */
export type PlainHeaders = Readonly<Record<string, string | undefined>>;

export interface PlainRequest {
  readonly method: string;
  /** How the caller reached this server: `http://127.0.0.1:7330`. */
  readonly origin: string;
  /** Path and query, as they came. */
  readonly target: string;
  /** What stands in the path for the names in the operation's, decoded and otherwise as it came. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: PlainHeaders;
  /** Undefined where the body is longer than that. */
  bytes(most: number): Promise<Uint8Array | undefined>;
  /** Calls when the caller has gone without its answer, even if it went before; what it answers ends the wait for it. */
  onGone(listener: () => void): () => void;
}

export function goneBy(signal: AbortSignal): PlainRequest['onGone'] {
  return (listener) => {
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  };
}

export type PlainBody = string | Uint8Array | Flow | null;

export function isFlow(body: PlainBody): body is Flow {
  return body !== null && typeof body === 'object' && 'into' in body;
}

export class PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PlainBody;

  constructor(status: number, headers: Readonly<Record<string, string>>, body: PlainBody) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? target : target.slice(0, query);
}

/** With its question mark; empty where there is none. */
export function queryOf(target: string): string {
  const query = target.indexOf('?');
  return query < 0 ? '' : target.slice(query);
}
