import { setImmediate as nextTurn } from 'node:timers/promises';
import { getQueryParams } from 'hono/utils/url';
import { type JsonDocument, readDocument } from '../../kernel/json/reader.ts';
import { decodeUtf8 } from '../../kernel/json/utf8.ts';
import { asBatonError, type Invocation } from '../../spine/dispatch/dispatch.ts';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import type { InputParts } from '../../spine/dispatch/parse.ts';
import type { Bound } from '../../spine/dispatch/registry.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import { type BodyLimits, MOST_VALUES } from '../../spine/operations/body.ts';
import type { Operation } from '../../spine/operations/define.ts';
import { type PlainAnswer, queryOf } from '../../spine/operations/plain.ts';
import { decodeFields } from '../../spine/operations/text-input.ts';
import type { HttpRequest } from './http-request.ts';
import { refusalBy, type TextAnswer } from './refusal.ts';
import type { RouteDeps } from './routes.ts';
import { type Standing, standingOf } from './standing.ts';
import { wires } from './wires/index.ts';

/** Handles a call, from request to response. */
export async function answerCall(
  bound: Bound,
  request: HttpRequest,
  requestId: string,
  deps: RouteDeps,
): Promise<TextAnswer> {
  const { operation } = bound;
  try {
    const invocation = await invocationOf(operation, request, requestId, deps);
    const { status, headers, body } = await deps.dispatcher.call(bound, invocation);
    // What waited for something to tell, tells it to nobody whose credential has ended; of a change it tells the outcome.
    if (request.method === 'GET') await invocation.standing();
    if (status === 204 || status === 304) return { status, headers, body: null };
    const text = wires[operation.wire].success(body, requestId, deps.clock.now());
    return { status, headers: { 'content-type': 'application/json', ...headers }, body: text };
  } catch (thrown) {
    return refusalOf(operation, thrown, requestId, deps);
  }
}

/** A plain operation reads its request itself. */
export async function answerPlain(
  { operation, handler }: Bound,
  request: HttpRequest,
  requestId: string,
  deps: RouteDeps,
): Promise<PlainAnswer> {
  try {
    return (await handler(request)) as PlainAnswer;
  } catch (thrown) {
    return refusalOf(operation, thrown, requestId, deps);
  }
}

/** Authenticates the caller and reads the input. */
export async function invocationOf(
  operation: Operation,
  request: HttpRequest,
  requestId: string,
  deps: RouteDeps,
  stopped?: AbortSignal,
): Promise<HttpInvocation> {
  const { standing } = await standingOf(request, operation, deps);
  const parts = await takeApart(operation, request, deps.body);
  const signals = () => [request.signal, deps.draining, ...(stopped ? [stopped] : [])];
  // The body may have been long in coming, and the credential have ended meanwhile.
  const principal = await standing();
  return new HttpInvocation(
    principal,
    parts,
    requestId,
    request.headers['idempotency-key'],
    signals,
    standing,
  );
}

/** Most operations never look at the signal, and to make one costs more than routing the request. */
class HttpInvocation implements Invocation {
  readonly principal: Principal;
  readonly parts: InputParts;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  readonly standing: Standing;
  readonly #signals: () => AbortSignal[];
  #signal: AbortSignal | undefined;

  constructor(
    principal: Principal,
    parts: InputParts,
    requestId: string,
    idempotencyKey: string | undefined,
    signals: () => AbortSignal[],
    standing: Standing,
  ) {
    this.principal = principal;
    this.parts = parts;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
    this.#signals = signals;
    this.standing = standing;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any(this.#signals());
    return this.#signal;
  }
}

async function takeApart(
  { input, http }: Operation,
  request: HttpRequest,
  limits: BodyLimits,
): Promise<InputParts> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(input.headers?.shape ?? {})) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return {
    path: decodeFields(input.path, request.params),
    query: input.query ? decodeFields(input.query, queriesOf(request)) : {},
    headers: decodeFields(input.headers, headers),
    document: input.body
      ? await readJsonBody(
          request,
          { ...limits, maxBytes: http?.maxBytes ?? limits.maxBytes },
          http?.maxValues ?? MOST_VALUES,
        )
      : undefined,
  };
}

function queriesOf({ origin, target }: HttpRequest): Record<string, string[]> {
  return queryOf(target) === '' ? {} : (getQueryParams(`${origin}${target}`) as Record<string, string[]>);
}

const LONG_BODY = 262_144;

async function readJsonBody(
  request: HttpRequest,
  limits: BodyLimits,
  maxValues: number,
): Promise<JsonDocument | undefined> {
  const bytes = await request.body(limits);
  if (bytes.byteLength === 0) return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw dispatchErrors.unsupported_media_type({ details: { content_type: type } });
  }
  const document = readDocument(decodeUtf8(bytes), { maxValues });
  // What was read takes about as long to handle: others get their turn in between.
  if (bytes.byteLength > LONG_BODY) await nextTurn();
  return document;
}

/** As the operation's protocol spells it; what is our fault is logged. */
export function refusalOf(
  operation: Operation,
  thrown: unknown,
  requestId: string,
  deps: Pick<RouteDeps, 'log'>,
): TextAnswer {
  const refusal = refusalBy(wires[operation.wire], thrown, requestId);
  if (asBatonError(thrown).status >= 500) deps.log(thrown, { requestId, operation: operation.name });
  return refusal;
}
