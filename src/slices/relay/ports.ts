import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { RecordEvent } from '../../spine/identity/ledger.ts';
import type { Limiter } from '../../spine/identity/limits/limiter.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import type { Sessions } from '../../spine/identity/sessions/sessions.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { JobQueue } from '../../spine/jobs/queue.ts';
import type { Journal } from '../../spine/journal/journal.ts';
import type { SearchIndex } from '../../spine/search/search-index.ts';
import type { Database, UnitOfWork } from '../../spine/storage/database.ts';
import type { RelaySettings } from './settings.ts';

export interface GovernedMessage {
  readonly projectId: string;
  /** Who asks by credential; what a message declares of its sender can satisfy no rule. */
  readonly actor: Actor;
  readonly peerId: string;
  /** The action that must be allowed, where the peer names one. */
  readonly action: string | undefined;
  readonly method: string;
  readonly contextId: string | undefined;
}

export type GovernedDecision =
  | {
      readonly allowed: true;
      readonly resolutionId: string | undefined;
      /** What the decision leaves on record, where it was shared: in the unit of the message's spans. */
      readonly record?: ((uow: UnitOfWork) => Promise<void>) | undefined;
    }
  | { readonly allowed: false; readonly reason: string };

/** Asks CARP whether a message may be forwarded. */
export type ResolveMessage = (message: GovernedMessage) => Promise<GovernedDecision>;

export interface CompletedTask {
  readonly projectId: string;
  readonly actor: Actor;
  readonly peerId: string;
  readonly taskId: string;
  readonly contextId: string | undefined;
  readonly traceId: string;
  readonly request: string;
  readonly reply: string;
}

/** Leaves a handoff package for a completed task, in the same unit. */
export type DepositHandoff = (uow: UnitOfWork, task: CompletedTask) => Promise<void>;

/** What this slice is handed. Joins with other slices are optional: without them the relay only relays. */
export interface RelayDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: () => string;
  readonly hasher: Hasher;
  readonly journal: Pick<Journal, 'append'>;
  readonly sessions: Pick<Sessions, 'sessionForRef' | 'standingSession'>;
  readonly record: RecordEvent;
  readonly jobs: JobQueue;
  readonly inbox: Pick<Inbox, 'register' | 'openItem' | 'supersedeSubject'>;
  readonly limiter: Limiter;
  readonly search: Pick<SearchIndex, 'index' | 'remove'>;
  readonly settings: RelaySettings;
  readonly dataDir: string;
  /** `host` or `host:port` that push notifications may be delivered to although it is private. */
  readonly pushHosts: readonly string[];
  /** The project of callers without a credential. */
  readonly defaultProject: string;
  readonly loopback: boolean;
  /** Where this process listens, and the files of its certificate. */
  readonly bind: {
    readonly host: string;
    readonly tls: { readonly cert: string; readonly key: string; readonly clientCa?: string } | undefined;
  };
  /** Finds out who asks by Baton's own key; throws where it is bad. */
  readonly authenticateKey: (key: string) => Promise<Principal>;
  readonly resolve?: ResolveMessage;
  readonly deposit?: DepositHandoff;
  readonly onError: (error: unknown, what: string) => void;
}
