import { BatonError } from '../../../kernel/error.ts';

/** What one step of a sync carries. */
export interface SyncPage {
  /** Ready for `transfer.import`. */
  readonly batch: Readonly<Record<string, readonly unknown[]>>;
  /** The cursor after this page; undefined as long as continuing means starting over. */
  readonly cursor?: string | undefined;
  /** Packages that were destroyed at the source, if the batch cannot express that. */
  readonly redacted?: readonly string[];
  /** Packages that do not match their hash; they are left out. */
  readonly mismatched?: readonly string[];
}

export interface SyncRequest {
  readonly projectId: string;
  readonly cursor: string | undefined;
  /** Go on until stopped. */
  readonly watch: boolean;
}

export const WAIT_SECONDS = 25;

/** For `catch`: the other journal no longer reaches back to our cursor, so everything is read again. */
export function undefinedIfExpired(error: unknown): undefined {
  if (error instanceof BatonError && error.code === 'cursor_expired') return undefined;
  throw error;
}
