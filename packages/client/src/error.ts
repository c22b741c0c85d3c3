/** No answer came, or not all of it: the server is down, or the line to it is. The platform's own error is the cause. */
export class BatonUnreachableError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'BatonUnreachableError';
  }
}

/** Runs what needs the line; that it broke is told apart from every other fault. An abort stays what it is. */
export async function overTheLine<Value>(
  work: () => Promise<Value>,
  signal?: AbortSignal | undefined,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new BatonUnreachableError(error);
  }
}

/** A refusal by the server, with what it says to do next. */
export class BatonRequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly next: string | undefined;
  readonly pointer: string | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryable: boolean;

  constructor(status: number, body: unknown) {
    const error = (body as { error?: Record<string, unknown> } | undefined)?.error ?? {};
    super(typeof error.message === 'string' ? error.message : `The server answered ${status}.`);
    this.name = 'BatonRequestError';
    this.status = status;
    this.code = typeof error.code === 'string' ? error.code : `http_${status}`;
    this.next = error.next as string | undefined;
    this.pointer = error.pointer as string | undefined;
    this.details = error.details;
    this.requestId = error.request_id as string | undefined;
    this.retryable = error.retryable === true;
  }
}
