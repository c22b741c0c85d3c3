import type { z } from 'zod';
import type { Decides } from './decides.ts';

/** Picks the envelope, the error codec and the status of a missing credential; see `http/wires/`. */
export type Wire = 'agentic' | 'cra' | 'a2p' | 'ours';

/** `ANY` is for operations whose protocol owns the methods too. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';

export interface HttpFace {
  readonly method: HttpMethod;
  /** `/v1/inbox/{id}`: every `{name}` is a key of `input.path`; a last `{name*}` takes the rest of the path. */
  readonly path: string;
  /** The status of a plain success; 200 unless said otherwise. */
  readonly status?: number;
  /** Whoever is refused here is told where to be let in (RFC 9728). */
  readonly protectedResource?: true;
  /** Largest accepted body; the server's default unless said otherwise. */
  readonly maxBytes?: number;
  /** The most values that its JSON may have; the server's default unless said otherwise. */
  readonly maxValues?: number;
}

/** One action of one tool: tools are few, so that all slices fit into an agent's context. */
export interface McpFace {
  readonly tool: string;
  readonly action: string;
  /** It only reads, although it is no GET: what it writes is that it was read. */
  readonly reads?: true;
}

export interface CliFace {
  /** `inbox approve`: the words after `baton`. */
  readonly command: string;
  /** Inputs given by position; all others are `--options`. */
  readonly positionals?: readonly string[];
  /** Inputs that the command fixes: `inbox approve` is `inbox.decide` with the decision given. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

export interface OperationInput {
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Keys are lower-case header names. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
}

interface Declared {
  /** One imperative line: the summary in OpenAPI, the CLI's help, the tool's action list. */
  readonly summary: string;
  readonly description?: string;
  readonly wire: Wire;
  /** The scope a credential needs; `open` needs no credential. */
  readonly scope: string;
  readonly input: OperationInput;
  /**
   * Where arguments arrive as one flat object (MCP, CLI), the body's members stand beside the path's and query's;
   * with a name, the whole body is that one argument.
   */
  readonly bodyName?: string;
  /** A person's decision: inside an agent's session no face takes it from a person's credential. */
  readonly decides?: Decides;
  /** Codes beyond those that any operation may answer. */
  readonly errors: readonly string[];
  readonly http?: HttpFace;
  readonly mcp?: McpFace;
  readonly cli?: CliFace | readonly CliFace[];
}

export interface CallDeclaration extends Declared {
  readonly kind: 'call';
  /**
   * `read` and `write` hand the handler a reader or a unit of work. `none` is for what waits or works outside a
   * transaction (long-poll, verification, backup); it opens units itself.
   */
  readonly unit: 'read' | 'write' | 'none';
  readonly output: z.ZodType;
  readonly idempotency?: IdempotencyRule;
}

/**
 * What an `Idempotency-Key` does, where it is not simply honoured. Unless declared, the first answer is stored and
 * replayed, and a request outside a unit of work whose process died is never run again under its key.
 *
 * - `refused`: the answer (or the request) holds a secret, or content that erasure could not find again. It must not be
 *   stored, so the header is refused.
 * - `repeatable`: running it twice is harmless, so that a request that broke off may run again under its key.
 * - `erases`: as `repeatable`; and its answer may name what it erased.
 */
export type IdempotencyRule = 'refused' | 'repeatable' | 'erases';

export interface StreamDeclaration extends Declared {
  readonly kind: 'stream';
  /** The shape of each item's `data`. */
  readonly output: z.ZodType;
}

/** Request in, Response out: protocols that bring their own framing. Listed for scope, docs, tenancy and fuzzing. */
export interface RawDeclaration extends Declared {
  readonly kind: 'raw';
  readonly http: HttpFace;
}

/**
 * The same without the web's objects and without any step between the socket and the handler, for what stands in the way of every
 * message between agents: whose credential it is and what may be asked is the handler's to find out.
 */
export interface PlainDeclaration extends Declared {
  readonly kind: 'plain';
  readonly scope: 'open';
  readonly http: HttpFace;
}

export type OperationDeclaration = CallDeclaration | StreamDeclaration | RawDeclaration | PlainDeclaration;

export type Operation<D extends OperationDeclaration = OperationDeclaration> = D & { readonly name: string };

export type OperationTable = Readonly<Record<string, Operation>>;

type Named<T extends Record<string, OperationDeclaration>> = {
  readonly [Name in keyof T]: T[Name] & { readonly name: Name & string };
};

/** A slice's operations, by name. Data only: handlers are bound to it in `app.ts`. */
export function defineOperations<const T extends Record<string, OperationDeclaration>>(table: T): Named<T> {
  const named: Record<string, unknown> = {};
  for (const [name, declaration] of Object.entries(table)) named[name] = { ...declaration, name };
  return named as Named<T>;
}

/*
 * How a declaration begins: what kind it is, whose envelope it answers in, and the scope that a credential needs.
 * `read` and `write` run inside a transaction; `outside` opens the units it needs itself.
 */
export const read = <W extends Wire, S extends string>(wire: W, scope: S) =>
  ({ kind: 'call', unit: 'read', wire, scope }) as const;
export const write = <W extends Wire, S extends string>(wire: W, scope: S) =>
  ({ kind: 'call', unit: 'write', wire, scope }) as const;
export const outside = <W extends Wire, S extends string>(wire: W, scope: S) =>
  ({ kind: 'call', unit: 'none', wire, scope }) as const;
export const stream = <W extends Wire, S extends string>(wire: W, scope: S) =>
  ({ kind: 'stream', wire, scope }) as const;
export const raw = <W extends Wire, S extends string>(wire: W, scope: S) =>
  ({ kind: 'raw', wire, scope }) as const;
export const plain = <W extends Wire>(wire: W) => ({ kind: 'plain', wire, scope: 'open' }) as const;

/** What an operation does with an `Idempotency-Key`. */
export type KeyHandling = 'replayed' | 'refused' | 'forwarded' | 'ignored';

/** Protocols with framing of their own get the header as it came. Reads, and streams are reads, pay no attention to it. */
export function keyHandlingOf(operation: Operation): KeyHandling {
  if (operation.kind === 'raw' || operation.kind === 'plain') return 'forwarded';
  const reads = operation.http
    ? operation.http.method === 'GET'
    : operation.kind === 'call' && operation.unit === 'read';
  if (operation.kind === 'stream' || reads) return 'ignored';
  return operation.idempotency === 'refused' ? 'refused' : 'replayed';
}
