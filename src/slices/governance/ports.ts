import type { Clock, Micros } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { BoundedWork } from '../../platform/bounded-work/bounded-work.ts';
import type { RecordEvent } from '../../spine/identity/ledger.ts';
import type { Sessions } from '../../spine/identity/sessions/sessions.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { PayloadCodec } from '../../spine/journal/events/payload-codec.ts';
import type { Feed } from '../../spine/journal/feed/feed.ts';
import type { Journal } from '../../spine/journal/journal.ts';
import type { Database, Reader } from '../../spine/storage/database.ts';
import type { CheckAtlas } from './atlases/judged-atlas.ts';
import type { AtlasSets } from './atlases/sets.ts';
import type { VersionStep } from './atlases/version-step.ts';
import type { Executors } from './execution/executors.ts';
import type { JudgeParameters } from './execution/judged-parameters.ts';
import type { FactKey } from './policies/rules/when/fact-key.ts';
import type { KnownFact } from './policies/rules/when/surroundings.ts';

/** What the verbs and handlers of this slice work with; `createGovernance` puts it together once. */
export interface GovernanceDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Ever-growing UUIDv7. */
  readonly ids: () => string;
  readonly hasher: Hasher;
  readonly journal: Journal;
  readonly feed: Feed;
  /** Seals what is stored of parameters, resolutions and inputs. */
  readonly payloads: PayloadCodec;
  readonly sessions: Sessions;
  /** Writes to the ledger of an actor's standing session. */
  readonly record: RecordEvent;
  readonly inbox: Inbox;
  readonly executors: Executors;
  readonly sets: AtlasSets;
  /** The facts of these keys that hold at an instant, as far as there are any. */
  readonly facts: FindFacts;
  readonly judgeParameters: JudgeParameters;
  readonly checkAtlas: CheckAtlas;
  readonly versionStep: VersionStep;
  /** What callers can make expensive runs here. */
  readonly work: BoundedWork;
  readonly settings: Required<GovernanceSettings>;
}

export type FindFacts = (
  reader: Reader,
  projectId: string,
  keys: readonly FactKey[],
  at: Micros,
) => Promise<readonly KnownFact[]>;

export interface GovernanceSettings {
  /** How long a resolution may be used; 3600 by default, at most 86400. */
  readonly resolutionSeconds?: number;
  /** How far the clock of a request may be off; 300 by default. */
  readonly clockSkewSeconds?: number;
  /** How long an approval may be decided and used unless a policy says otherwise; 3600 by default. */
  readonly approvalSeconds?: number;
  /** Removes secrets from texts before they are hashed. */
  readonly redact?: (text: string) => string;
  /** Accepts the other spellings of Atlases that are in use elsewhere. */
  readonly lenientAtlases?: boolean;
  /** Refuses a version whose number is too small a step for what changes, instead of warning. */
  readonly strictVersions?: boolean;
}
