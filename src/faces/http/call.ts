import { getQueryParams } from 'hono/utils/url';
import { type JsonDocument, readDocument } from '../../kernel/json/reader.ts';
import { decodeUtf8 } from '../../kernel/json/utf8.ts';
import { asBatonError, type Invocation } from '../../spine/dispatch/dispatch.ts';
import { dispatchErrors } from '../../spine/dispatch/errors.ts';
import type { InputParts } from '../../spine/dispatch/parse.ts';
import type { Bound } from '../../spine/dispatch/registry.ts';
import type { Principal } from '../../spine/identity/principal.ts';
import type { Operation } from '../../spine/operations/define.ts';
import { type PlainAnswer, queryOf } from '../../spine/operations/plain.ts';
import { decodeFields } from '../../spine/operations/text-input.ts';
import type { Asked } from './asked.ts';
import type { BodyLimits } from './body.ts';
import { refusalBy, type TextAnswer } from './refusal.ts';
import type { RouteServices } from './routes.ts';
import { wires } from './wires/index.ts';

/** The way of a call from its request to its answer. */
export async function answerCall(
  bound: Bound,
  asked: Asked,
  requestId: string,
  services: RouteServices,
): Promise<TextAnswer> {
  const { operation } = bound;
  try {
    const invocation = await invocationOf(operation, asked, requestId, services);
    const { status, headers, body } = await services.dispatcher.call(bound, invocation);
    if (status === 204 || status === 304) return { status, headers, body: null };
    const text = wires[operation.wire].success(body, requestId, services.clock.now());
    return { status, headers: { 'content-type': 'application/json', ...headers }, body: text };
  } catch (thrown) {
    return refusalOf(operation, thrown, requestId, services);
  }
}

/** A plain operation finds out all by itself. */
export async function answerPlain(
  { operation, handler }: Bound,
  asked: Asked,
  requestId: string,
  services: RouteServices,
): Promise<PlainAnswer> {
  try {
    return (await handler(asked)) as PlainAnswer;
  } catch (thrown) {
    return refusalOf(operation, thrown, requestId, services);
  }
}

/** Who asks what. */
export async function invocationOf(
  operation: Operation,
  asked: Asked,
  requestId: string,
  services: RouteServices,
  stopped?: AbortSignal,
): Promise<Invocation> {
  const principal =
    operation.scope === 'open' ? services.anonymous : await services.authenticate(asked, operation);
  const parts = await takeApart(operation, asked, services.body);
  const signals = () => [asked.signal, services.closing, ...(stopped ? [stopped] : [])];
  return new AskedInvocation(principal, parts, requestId, asked.headers['idempotency-key'], signals);
}

/** Most operations never look at the signal, and to make one costs more than routing the request. */
class AskedInvocation implements Invocation {
  readonly principal: Principal;
  readonly parts: InputParts;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  readonly #signals: () => AbortSignal[];
  #signal: AbortSignal | undefined;

  constructor(
    principal: Principal,
    parts: InputParts,
    requestId: string,
    idempotencyKey: string | undefined,
    signals: () => AbortSignal[],
  ) {
    this.principal = principal;
    this.parts = parts;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
    this.#signals = signals;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any(this.#signals());
    return this.#signal;
  }
}

async function takeApart({ input, http }: Operation, asked: Asked, limits: BodyLimits): Promise<InputParts> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(input.headers?.shape ?? {})) {
    const value = asked.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return {
    path: decodeFields(input.path, asked.params),
    query: input.query ? decodeFields(input.query, queriesOf(asked)) : {},
    headers: decodeFields(input.headers, headers),
    document: input.body
      ? await readJsonBody(asked, { ...limits, maxBytes: http?.maxBytes ?? limits.maxBytes })
      : undefined,
  };
}

function queriesOf({ origin, target }: Asked): Record<string, string[]> {
  return queryOf(target) === '' ? {} : (getQueryParams(`${origin}${target}`) as Record<string, string[]>);
}

async function readJsonBody(asked: Asked, limits: BodyLimits): Promise<JsonDocument | undefined> {
  const bytes = await asked.body(limits);
  if (bytes.byteLength === 0) return undefined;
  const type = asked.headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw dispatchErrors.unsupported_media_type({ details: { content_type: type } });
  }
  return readDocument(decodeUtf8(bytes), { maxBytes: limits.maxBytes });
}

/** As the operation's protocol spells it; what is our fault is logged. */
export function refusalOf(
  operation: Operation,
  thrown: unknown,
  requestId: string,
  services: Pick<RouteServices, 'log'>,
): TextAnswer {
  const refusal = refusalBy(wires[operation.wire], thrown, requestId);
  if (asBatonError(thrown).status >= 500) services.log(thrown, { requestId, operation: operation.name });
  return refusal;
}
