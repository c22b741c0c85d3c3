import { BatonError } from '../../../kernel/error.ts';

/** What one step of a sync carries. */
export interface SyncPage {
  /** Ready for `transfer.import`. */
  readonly batch: Readonly<Record<string, readonly unknown[]>>;
  /** Where to go on after it; undefined as long as going on means beginning anew. */
  readonly cursor?: string | undefined;
  /** Packages that were destroyed at the source, where the batch cannot say so. */
  readonly redacted?: readonly string[];
  /** Packages that are not what their hash says: they are left out. */
  readonly mismatched?: readonly string[];
}

export interface SyncRequest {
  readonly projectId: string;
  readonly cursor: string | undefined;
  /** Go on until stopped. */
  readonly watch: boolean;
}

export const WAIT_SECONDS = 25;

/** For `catch`: the journal over there no longer reaches back to where we were, so that all begins anew. */
export function undefinedIfExpired(error: unknown): undefined {
  if (error instanceof BatonError && error.code === 'cursor_expired') return undefined;
  throw error;
}
