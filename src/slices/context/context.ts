import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import type { Identity } from '../../spine/identity/identity.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { Feed } from '../../spine/journal/feed/feed.ts';
import type { Journal } from '../../spine/journal/journal.ts';
import type { SearchIndex } from '../../spine/search/search-index.ts';
import type { Database, UnitOfWork } from '../../spine/storage/database.ts';
import type { ContextPorts } from './ports.ts';

/** What this slice stands on. */
export interface ContextParts extends ContextPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly journal: Journal;
  readonly feed: Feed;
  readonly identity: Identity;
  readonly inbox: Inbox;
  readonly search: SearchIndex;
  readonly settings: ContextSettings;
}

export interface ContextSettings {
  /** The first deposit into an unknown project makes it. */
  readonly autocreateProjects: boolean;
  readonly version: string;
}

export interface LedgerNote {
  readonly projectId: string;
  readonly by: Actor;
  /** The session that the document names, if any: its ledger tells of it when it is the actor's own. */
  readonly sessionId?: string | null | undefined;
  readonly type: string;
  readonly payload: JsonObject;
}

export type RecordLedger = (uow: UnitOfWork, note: LedgerNote) => Promise<void>;

export type Asker = Pick<Principal, 'actor' | 'projects'>;
