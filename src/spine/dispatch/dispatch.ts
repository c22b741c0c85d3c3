import type { Clock, Random } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { JsonDocument } from '../../kernel/json/reader.ts';
import { nodeRandom } from '../../platform/index.ts';
import { requireScope } from '../identity/access.ts';
import type { ChargeWrite } from '../identity/limits/quotas.ts';
import type { Principal } from '../identity/principal.ts';
import type { Operation } from '../operations/define.ts';
import { type Answer, type Call, jsonTextOf, type RawCall, type StreamItem } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import { dispatchErrors } from './errors.ts';
import { type AnswerCodec, createIdempotency } from './idempotency.ts';
import type { StoredAnswer } from './idempotency-store.ts';
import { type InputParts, parseInput } from './parse.ts';
import type { Bound } from './registry.ts';

export interface Invocation {
  readonly principal: Principal;
  readonly parts: InputParts;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
  /** Who calls, asked anew; throws once the credential has ended. The principal, if left out. */
  readonly standing?: (() => Promise<Principal>) | undefined;
}

/** An answer ready for any face: status, headers, and a body that is JSON text already. */
export type Rendered = StoredAnswer;

export interface Dispatcher {
  call(bound: Bound, invocation: Invocation): Promise<Rendered>;
  stream(bound: Bound, invocation: Invocation): Promise<AsyncIterable<StreamItem>>;
  raw(bound: Bound, request: Request, invocation: Invocation): Promise<Response>;
}

export interface DispatcherOptions {
  readonly random?: Random;
  readonly payloads?: AnswerCodec;
  /** Called before anything is written for a principal, with the length of what came. */
  readonly charge?: ChargeWrite;
}

const unsealed: AnswerCodec = { seal: (text) => text, open: (stored) => stored };

/** The way of every operation: may → parse → before → unit of work → commit → answer. Who is the face's to find out. */
export function createDispatcher(
  db: Database,
  clock: Clock,
  hasher: Hasher,
  { random = nodeRandom, payloads = unsealed, charge }: DispatcherOptions = {},
): Dispatcher {
  const idempotency = createIdempotency({ db, clock, random, hasher, payloads });

  function prepare(operation: Operation, invocation: Invocation): Call {
    requireAccess(operation, invocation);
    return new PreparedCall(parseInput(operation.input, invocation.parts), invocation);
  }

  async function answerCall(
    { operation, handler, before }: Bound,
    invocation: Invocation,
  ): Promise<Rendered> {
    if (operation.kind !== 'call') throw new Error(`${operation.name} is not a call`);
    requireAccess(operation, invocation);
    const keyed = idempotency.keyed(operation, invocation);
    const call = new PreparedCall(parseInput(operation.input, invocation.parts), invocation);
    const headers = before && (await before(operation, invocation.principal));
    if (charge && writes(operation))
      await charge(invocation.principal, invocation.parts.document?.text.length ?? 0);
    const answered = (answer: unknown) => render(operation, answer as Answer<unknown>);
    let rendered: Rendered;
    if (operation.unit === 'write') {
      rendered = await db.write(async (uow) => {
        const work = async () => answered(await handler(uow, call));
        return keyed ? idempotency.inUnit(uow, keyed, work) : work();
      });
    } else {
      const reads = operation.unit === 'read';
      const work = async () =>
        answered(await (reads ? db.read((reader) => handler(reader, call)) : handler(call)));
      rendered = await (keyed ? idempotency.outside(keyed, work) : work());
    }
    return headers ? { ...rendered, headers: { ...rendered.headers, ...headers } } : rendered;
  }

  return {
    call: answerCall,
    stream: async (bound, invocation) =>
      (await bound.handler(prepare(bound.operation, invocation))) as AsyncIterable<StreamItem>,
    raw: async (bound, request, invocation) => {
      const call = prepare(bound.operation, invocation);
      if (charge && writes(bound.operation)) await charge(invocation.principal, lengthOf(request));
      return (await bound.handler(request, call)) as Response;
    },
  };
}

/** What reads by its method may still note that it did; that is not the caller's to pay for. */
function writes(operation: Operation): boolean {
  if (operation.kind === 'call' && operation.unit !== 'none') return operation.unit === 'write';
  return operation.http?.method !== 'GET';
}

/** A body that does not say its length counts as a megabyte, so that saying it pays. */
function lengthOf({ headers, body }: Request): number {
  const declared = headers.get('content-length');
  return declared === null ? (body === null ? 0 : 1024 ** 2) : Number(declared);
}

function requireAccess({ scope }: Operation, { principal }: Invocation): void {
  if (scope !== 'open') requireScope(principal, scope);
}

/** Asks for the signal only when the handler does. */
class PreparedCall implements RawCall {
  readonly input: Call['input'];
  readonly document: JsonDocument | undefined;
  readonly principal: Principal;
  readonly requestId: string;
  readonly #invocation: Invocation;

  constructor(input: Call['input'], invocation: Invocation) {
    this.input = input;
    this.document = invocation.parts.document;
    this.principal = invocation.principal;
    this.requestId = invocation.requestId;
    this.#invocation = invocation;
  }

  get signal(): AbortSignal {
    return this.#invocation.signal;
  }

  standing(): Promise<Principal> {
    return this.#invocation.standing?.() ?? Promise.resolve(this.principal);
  }
}

function render(operation: Operation, answer: Answer<unknown>): Rendered {
  const status = answer.status ?? operation.http?.status ?? 200;
  return { status, headers: answer.headers ?? {}, body: jsonTextOf(answer.body) };
}

/** Whatever was thrown, as the one error: what is not ours is an `internal_error` that keeps its cause for the log. */
export function asBatonError(thrown: unknown): BatonError {
  return thrown instanceof BatonError ? thrown : dispatchErrors.internal_error({ cause: thrown });
}
