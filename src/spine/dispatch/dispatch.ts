import type { Clock } from '../../kernel/clock.ts';
import { BatonError } from '../../kernel/error.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { JsonDocument } from '../../kernel/json/reader.ts';
import { requireScope } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import type { Operation } from '../operations/define.ts';
import { type Answer, type Call, jsonTextOf, type StreamItem } from '../operations/handler.ts';
import type { Database } from '../storage/database.ts';
import { dispatchErrors } from './errors.ts';
import { type IdempotencyUse, recallAnswer, rememberAnswer, type StoredAnswer } from './idempotency.ts';
import { type InputParts, parseInput } from './parse.ts';
import type { Bound } from './registry.ts';

export interface Invocation {
  readonly principal: Principal;
  readonly parts: InputParts;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
}

/** An answer ready for any face: status, headers, and a body that is JSON text already. */
export type Rendered = StoredAnswer;

export interface Dispatcher {
  call(bound: Bound, invocation: Invocation): Promise<Rendered>;
  stream(bound: Bound, invocation: Invocation): Promise<AsyncIterable<StreamItem>>;
  raw(bound: Bound, request: Request, invocation: Invocation): Promise<Response>;
}

/** The way of every operation: may → parse → unit of work → commit → answer. Who is the face's to find out. */
export function createDispatcher(db: Database, clock: Clock, hasher: Hasher): Dispatcher {
  function prepare(operation: Operation, invocation: Invocation): Call {
    if (operation.scope !== 'open') requireScope(invocation.principal, operation.scope);
    return new PreparedCall(parseInput(operation.input, invocation.parts), invocation);
  }

  async function callInUnit(bound: Bound, call: Call, invocation: Invocation): Promise<Rendered> {
    const { operation, handler } = bound;
    if (operation.kind !== 'call') throw new Error(`${operation.name} is not a call`);
    const rendered = (answer: unknown) => render(operation, answer as Answer<unknown>);
    if (operation.unit === 'none') return rendered(await handler(call));
    if (operation.unit === 'read') return rendered(await db.read((reader) => handler(reader, call)));
    const use = idempotencyUse(operation, invocation);
    return db.write(async (uow) => {
      const first = use && (await recallAnswer(uow, use));
      if (first) return { ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } };
      const answer = rendered(await handler(uow, call));
      if (use) await rememberAnswer(uow, use, answer, clock.now());
      return answer;
    });
  }

  function idempotencyUse(operation: Operation, invocation: Invocation): IdempotencyUse | undefined {
    if (invocation.idempotencyKey === undefined) return undefined;
    const { principal, parts } = invocation;
    const request = JSON.stringify([operation.name, parts.path, parts.query, parts.document?.text ?? null]);
    return {
      scope: `${principal.credential.kind}:${principal.credential.id}`,
      key: invocation.idempotencyKey,
      digest: hasher.hex(request),
    };
  }

  return {
    call: (bound, invocation) => callInUnit(bound, prepare(bound.operation, invocation), invocation),
    stream: async (bound, invocation) =>
      (await bound.handler(prepare(bound.operation, invocation))) as AsyncIterable<StreamItem>,
    raw: async (bound, request, invocation) =>
      (await bound.handler(request, prepare(bound.operation, invocation))) as Response,
  };
}

/** Asks for the signal only when the handler does. */
class PreparedCall implements Call {
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
}

function render(operation: Operation, answer: Answer<unknown>): Rendered {
  const status = answer.status ?? operation.http?.status ?? 200;
  return { status, headers: answer.headers ?? {}, body: jsonTextOf(answer.body) };
}

/** Whatever was thrown, as the one error: what is not ours is an `internal_error` that keeps its cause for the log. */
export function asBatonError(thrown: unknown): BatonError {
  return thrown instanceof BatonError ? thrown : dispatchErrors.internal_error({ cause: thrown });
}
