import { BatonError } from '../../../kernel/error.ts';

/** What a face needs of a refusal. A thread that is sent the error itself gets one that nobody knows. */
export interface SentRefusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly next: string;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

export function toSend({ code, status, message, next, retryable, details }: BatonError): SentRefusal {
  return { code, status, message, next, retryable, details };
}

export function asSent({ code, details, ...spec }: SentRefusal): BatonError {
  return new BatonError(code, spec, details === undefined ? {} : { details });
}
