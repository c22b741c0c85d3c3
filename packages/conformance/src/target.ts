/** The server under test, as any client sees it. */
export interface Target {
  readonly url: string;
  readonly token: string | undefined;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Reply>;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another credential, or null to send none. */
  readonly token?: string | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a server under test may answer anything.
  readonly json: any;
}

export function httpTarget(baseUrl: string, token: string | undefined, timeoutMs = 30_000): Target {
  const url = baseUrl.replace(/\/+$/, '');
  return {
    url,
    token,
    async send(method, path, body, options = {}) {
      const credential = options.token === undefined ? token : options.token;
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(typeof credential === 'string' && { authorization: `Bearer ${credential}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parseOrUndefined(text) };
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
export function parseOrUndefined(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
