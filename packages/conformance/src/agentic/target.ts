/** The server under test, as any client sees it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a foreign server have any shape.
  readonly json: any;
}

export interface Target {
  readonly url: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  /** Without a credential. */
  bare(method: string, path: string, body?: unknown): Promise<Reply>;
}

const PATIENCE_MS = 30_000;

export function httpTarget(url: string, token: string | undefined): Target {
  const base = url.replace(/\/$/, '');
  const credential: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function ask(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  return {
    url: base,
    send: (method, path, body, headers = {}) => ask(method, path, body, { ...credential, ...headers }),
    get: (path) => ask('GET', path, undefined, credential),
    bare: (method, path, body) => ask(method, path, body, {}),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
