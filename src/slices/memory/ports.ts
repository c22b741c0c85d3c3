import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { RecordEvent } from '../../spine/identity/ledger.ts';
import type { Limiter } from '../../spine/identity/limits/limiter.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { JobQueue } from '../../spine/jobs/queue.ts';
import type { SearchIndex } from '../../spine/search/search-index.ts';
import type { Database, UnitOfWork } from '../../spine/storage/database.ts';
import type { SecondReader } from './capture/second-reader.ts';

/** What the composition root hands to the slice; every verb takes it after its unit of work. */
export interface MemoryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
  readonly inbox: Inbox;
  readonly jobs: JobQueue;
  readonly search: SearchIndex;
  readonly limiter: Limiter;
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
  /** Sends a webhook to an address that was checked; absent where nothing may leave the machine. */
  readonly post?: WebhookPost;
  /** Whether a text holds what looks like a credential. */
  readonly hasSecret: (text: string) => boolean;
  /** Deletes stored responses that name one of these ids, with the digests of their requests. */
  readonly forgetRequests?: (uow: UnitOfWork, ids: readonly string[]) => Promise<void>;
  readonly settings?: MemorySettings;
  /** Reads what people said after the rules, with a model that the owner has set; absent without one. */
  readonly secondReader?: SecondReader | undefined;
}

/** Resolves to the response's status; throws where the address is refused or does not respond. */
export type WebhookPost = (
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{ readonly status: number }>;

export interface MemorySettings {
  /** Accepts DIDs without a namespace and answers 404 for unknown ones, as the third-party conformance tool expects. */
  readonly lenient?: boolean;
  readonly proposalsPerHour?: number;
  readonly readsPerHour?: number | undefined;
}
