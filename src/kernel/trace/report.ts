/** In the order in which one event's errors are reported: the first is the primary one. */
export const CHAIN_ERRORS = [
  'invalid_genesis',
  'chain_broken',
  'sequence_gap',
  'hash_mismatch',
  'session_mismatch',
  'trace_mismatch',
  'invalid_event',
] as const;

export type ChainErrorName = (typeof CHAIN_ERRORS)[number];

export interface ChainError {
  /** Position in the chain as given, from 0. */
  readonly index: number;
  /** As in the event; null if it could not be read. */
  readonly sequence: number | null;
  readonly error: ChainErrorName;
  readonly details: string;
}

export interface ChainWarning {
  readonly index: number;
  readonly sequence: number;
  /** `other_spelling`: the event is whole, but this line is not written as those around it. */
  readonly warning: 'timestamp_regression' | 'event_after_end' | 'other_spelling';
}

export interface ChainReport {
  readonly valid: boolean;
  readonly event_count: number;
  /** Whether the last event is `session.ended`. A chain alone cannot show that its tail was cut off. */
  readonly ended: boolean;
  /** All errors, by index and then in the order of `CHAIN_ERRORS`. */
  readonly errors: readonly ChainError[];
  readonly warnings: readonly ChainWarning[];
  /** The hash that the next event must link to. */
  readonly head: string;
  /** Events whose payload retention has dropped: linked, but their hash cannot be computed. */
  readonly pruned: number;
  /** Under which the hashes were judged. */
  readonly profile: 'appendix-b' | 'utf8';
}
