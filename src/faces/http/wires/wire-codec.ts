import type { Micros } from '../../../kernel/clock.ts';
import type { BatonError } from '../../../kernel/error.ts';

export interface WireError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How one protocol spells what all share: its error body, and the envelope of a success where it has one. */
export interface WireCodec {
  error(error: BatonError, requestId: string): WireError;
  /** Gives the text to send for a body that is JSON text. */
  success(body: string, requestId: string, now: Micros): string;
}
