/**
 * As much of express as the SDK's HTTP+JSON server calls. It is written for express, which is no dependency of ours;
 * below its routes everything is the SDK's own.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface WebRequest extends IncomingMessage {
  header(name: string): string | undefined;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  /** The body as it came: read before anything is routed. */
  readonly text: string;
}

export interface WebResponse extends ServerResponse {
  status(code: number): WebResponse;
  json(value: unknown): void;
}

type Next = (error?: unknown) => void;
type Handler = (request: WebRequest, response: WebResponse, next: Next) => unknown;
type ErrorHandler = (error: unknown, request: WebRequest, response: WebResponse, next: Next) => unknown;

interface Layer {
  readonly method: string | undefined;
  readonly path: { readonly pattern: RegExp; readonly names: readonly string[] } | undefined;
  readonly handler: Handler | ErrorHandler;
}

export interface Router extends Handler {
  use(...handlers: (Handler | ErrorHandler)[]): void;
  get(path: string, ...handlers: Handler[]): void;
  post(path: string, ...handlers: Handler[]): void;
  delete(path: string, ...handlers: Handler[]): void;
}

/** What `next` is told to leave a router early. */
const LEAVE = 'router';

export function createRouter(): Router {
  const layers: Layer[] = [];
  const add = (method: string) => (path: string, handlers: readonly Handler[]) => {
    for (const handler of handlers) layers.push({ method, path: readPath(path), handler });
  };

  const route: Handler = (request, response, done) => {
    const path = new URL(request.url ?? '/', 'http://peer').pathname;
    const step = (at: number, error?: unknown): unknown => {
      const layer = layers[at];
      if (!layer || error === LEAVE) return done(error === LEAVE ? undefined : error);
      const next: Next = (problem) => step(at + 1, problem);
      const found = layer.path?.pattern.exec(path);
      const isMeant = (!layer.method || layer.method === request.method) && (!layer.path || found);
      const takesErrors = layer.handler.length === 4;
      if (!isMeant || takesErrors !== (error !== undefined)) return step(at + 1, error);
      if (takesErrors) return (layer.handler as ErrorHandler)(error, request, response, next);
      request.params = Object.fromEntries(
        (layer.path?.names ?? []).map((name, i) => [name, decodeURIComponent(found?.[i + 1] ?? '')]),
      );
      return (layer.handler as Handler)(request, response, next);
    };
    return step(0);
  };

  return Object.assign(route, {
    use: (...handlers: (Handler | ErrorHandler)[]) => {
      for (const handler of handlers) layers.push({ method: undefined, path: undefined, handler });
    },
    get: (path: string, ...handlers: Handler[]) => add('GET')(path, handlers),
    post: (path: string, ...handlers: Handler[]) => add('POST')(path, handlers),
    delete: (path: string, ...handlers: Handler[]) => add('DELETE')(path, handlers),
  });
}

/** Parses the bodies of these types; what is no JSON is a SyntaxError that knows its body. */
export function parseBodies({ type }: { readonly type: string | readonly string[] }): Handler {
  return (request, _response, next) => {
    const [given] = (request.header('content-type') ?? '').split(';');
    if (request.text === '' || ![type].flat().includes(given?.trim().toLowerCase() ?? '')) return next();
    try {
      request.body = JSON.parse(request.text);
    } catch (error) {
      return next(Object.assign(error as SyntaxError, { body: request.text }));
    }
    next();
  };
}

/** Hands a request of node:http to a router. */
export function serveWith(
  router: Handler,
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://peer');
  const webRequest = Object.assign(request, {
    header: (name: string) => request.headers[name.toLowerCase()] as string | undefined,
    params: {},
    query: Object.fromEntries(searchParams),
    body: undefined,
    text,
  });
  const webResponse = Object.assign(response, {
    status(code: number) {
      response.statusCode = code;
      return webResponse;
    },
    json(value: unknown) {
      if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    },
  }) as WebResponse;
  router(webRequest, webResponse, (error) => webResponse.status(error ? 500 : 404).json({}));
}

function readPath(path: string): NonNullable<Layer['path']> {
  const names: string[] = [];
  const source = path.replace(/\\:|:(\w+)/g, (_, name?: string) => {
    if (name === undefined) return ':';
    names.push(name);
    return '([^/]+?)';
  });
  return { pattern: new RegExp(`^${source}$`), names };
}
