import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { Identity } from '../../spine/identity/identity.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { Compaction } from '../../spine/jobs/compaction.ts';
import type { Feed } from '../../spine/journal/feed/feed.ts';
import type { Journal } from '../../spine/journal/journal.ts';
import type { SearchIndex } from '../../spine/search/search-index.ts';
import type { Database, UnitOfWork } from '../../spine/storage/database.ts';
import type { RecordEvent } from './ledger.ts';

/** What this slice needs from the rest of the product. */
export interface ContextPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly journal: Journal;
  readonly feed: Feed;
  readonly identity: Identity;
  readonly inbox: Inbox;
  readonly search: SearchIndex;
  readonly compaction: Compaction;
  readonly settings: ContextSettings;
  /** Deletes the responses stored for idempotency keys that repeat this package. */
  forgetAnswers(
    uow: UnitOfWork,
    about: { readonly packageId: string; readonly bodyHash: string },
  ): Promise<void>;
}

export interface ContextSettings {
  /** Create an unknown project at its first deposit. */
  readonly autocreateProjects: boolean;
  readonly version: string;
}

/** What the subjects of this slice are built from. */
export interface ContextDeps extends ContextPorts {
  readonly record: RecordEvent;
}
