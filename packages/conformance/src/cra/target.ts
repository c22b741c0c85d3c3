/** A CRA server as its clients see it. */
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a server under test have any shape
  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Another credential, none at all, or the usual one. */
  readonly token?: string | null;
}

export interface Target {
  readonly baseUrl: string;
  readonly token: string | undefined;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Reply>;
}

export function openTarget(baseUrl: string, token: string | undefined, timeoutMs: number): Target {
  const base = baseUrl.replace(/\/+$/, '');
  return {
    baseUrl: base,
    token,
    async send(method, path, body, options = {}) {
      const credential = options.token === undefined ? token : (options.token ?? undefined);
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, text, body: parsed(text), headers: response.headers };
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
