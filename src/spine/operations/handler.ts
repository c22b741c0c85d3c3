import type { z } from 'zod';
import type { JsonDocument } from '../../kernel/json/reader.ts';
import type { Principal } from '../identity/principal.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { Operation, OperationInput, OperationTable } from './define.ts';
import type { PlainAnswer, PlainRequest } from './plain.ts';

type Part<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface InputOf<I extends OperationInput> {
  readonly path: Part<I['path']>;
  readonly query: Part<I['query']>;
  readonly headers: Part<I['headers']>;
  readonly body: Part<I['body']>;
}

export interface Call<I extends OperationInput = OperationInput> {
  /** A typed view: it reorders, drops and defaults, so it is never stored, hashed or answered. */
  readonly input: InputOf<I>;
  /** The body as it was written: what is stored and hashed. */
  readonly document: JsonDocument | undefined;
  readonly principal: Principal;
  readonly requestId: string;
  /** Fires when the caller has gone. */
  readonly signal: AbortSignal;
}

/** A call whose handler reads the body by itself. */
export interface RawCall<I extends OperationInput = OperationInput> extends Call<I> {
  /** Who calls once the body is there, however long that took; throws if the credential has ended. */
  standing(): Promise<Principal>;
}

/** A body that is JSON text already: it is sent as it stands. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function jsonTextOf(body: unknown): string {
  return body instanceof JsonText ? body.text : (JSON.stringify(body) ?? '');
}

export interface Answer<T> {
  readonly status?: number;
  readonly body: T | JsonText;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StreamItem<T = unknown> {
  readonly id: string;
  readonly event: string;
  readonly data: T | JsonText;
}

export type Handler<Op> = Op extends Operation & {
  kind: 'call';
  unit: infer U;
  output: infer O extends z.ZodType;
}
  ? U extends 'write'
    ? (uow: UnitOfWork, call: Call<Op['input']>) => Promise<Answer<z.input<O>>>
    : U extends 'read'
      ? (reader: Reader, call: Call<Op['input']>) => Promise<Answer<z.input<O>>>
      : (call: Call<Op['input']>) => Promise<Answer<z.input<O>>>
  : Op extends Operation & { kind: 'stream'; output: infer O extends z.ZodType }
    ? (call: Call<Op['input']>) => Promise<AsyncIterable<StreamItem<z.input<O>>>>
    : Op extends Operation & { kind: 'raw' }
      ? (request: Request, call: RawCall<Op['input']>) => Promise<Response>
      : Op extends Operation & { kind: 'plain' }
        ? (request: PlainRequest) => Promise<PlainAnswer>
        : never;

/** One handler for each operation of a table: a missing one does not compile. */
export type Handlers<T extends OperationTable> = { readonly [Name in keyof T]: Handler<T[Name]> };

/**
 * Runs before each call of a table, outside any unit and before its idempotency key is looked up, and may refuse it.
 * The headers it returns go out with the answer, be it new or replayed.
 */
export type BeforeCall = (
  operation: Operation,
  principal: Principal,
) => Promise<Readonly<Record<string, string>>>;
