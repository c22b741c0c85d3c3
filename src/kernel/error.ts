/**
 * The product's only error type. A face turns it into an HTTP response, a JSON-RPC error or an exit code;
 * nobody parses its message.
 */
export class BatonError extends Error {
  readonly code: string;
  readonly status: number;
  /** What the reader can do about it: a sentence that names the command, field or setting. */
  readonly next: string;
  /** JSON pointer of the fault in the input, where there is one. */
  readonly pointer: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The same call may succeed later without change. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, spec: ErrorSpec, fault: Fault = {}) {
    super(fault.message ?? spec.message, fault.cause === undefined ? undefined : { cause: fault.cause });
    this.name = 'BatonError';
    this.code = code;
    this.status = spec.status;
    this.next = fault.next ?? spec.next;
    this.pointer = fault.pointer;
    this.details = fault.details;
    this.retryable = spec.retryable ?? false;
    this.retryAfterSeconds = fault.retryAfterSeconds;
  }
}

export interface ErrorSpec {
  readonly status: number;
  readonly message: string;
  readonly next: string;
  readonly retryable?: boolean;
}

/** What a throw site adds to its row of the table. */
export interface Fault {
  readonly message?: string;
  readonly next?: string;
  readonly pointer?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

export type ErrorTable<T extends Record<string, ErrorSpec>> = {
  readonly [Code in keyof T]: (fault?: Fault) => BatonError;
} & { readonly specs: T };

/** `errors.cursor_expired({ details })` makes the error of that row; `errors.specs` is what docs and tests list. */
export function defineErrors<const T extends Record<string, ErrorSpec>>(specs: T): ErrorTable<T> {
  const table: Record<string, unknown> = { specs };
  for (const [code, spec] of Object.entries(specs)) {
    table[code] = (fault?: Fault) => new BatonError(code, spec, fault);
  }
  return table as ErrorTable<T>;
}
