import type { Clock } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { RecordEvent } from '../../spine/identity/ledger.ts';
import type { Sessions } from '../../spine/identity/sessions/sessions.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { PayloadCodec } from '../../spine/journal/events/payload-codec.ts';
import type { Feed } from '../../spine/journal/feed/feed.ts';
import type { Journal } from '../../spine/journal/journal.ts';
import type { Database } from '../../spine/storage/database.ts';
import type { Executors } from './executors/executor.ts';

/** What this slice is handed. */
export interface GovernanceDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Ever-growing UUIDv7. */
  readonly ids: () => string;
  readonly hasher: Hasher;
  readonly journal: Journal;
  readonly feed: Feed;
  /** How payloads stand in the store. */
  readonly payloads: PayloadCodec;
  readonly sessions: Sessions;
  /** Writes to the ledger of an actor's standing session. */
  readonly record: RecordEvent;
  readonly inbox: Inbox;
  readonly executors: Executors;
  readonly settings?: GovernanceSettings;
}

export interface GovernanceSettings {
  /** How long a resolution may be used; 3600 unless said otherwise, at most 86400. */
  readonly resolutionSeconds?: number;
  /** How far a request's clock may be off; 300 unless said otherwise. */
  readonly clockSkewSeconds?: number;
  /** How long an approval may be decided and used; 3600 unless a policy says otherwise. */
  readonly approvalSeconds?: number;
  /** Takes secrets out of texts before they are hashed. */
  readonly redact?: (text: string) => string;
  /** Takes the other spellings of Atlases that are in use elsewhere. */
  readonly lenientAtlases?: boolean;
}
