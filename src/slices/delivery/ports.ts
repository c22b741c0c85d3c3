import type { RecordEvent } from '../../spine/identity/ledger.ts';
import type { Actor } from '../../spine/identity/principal.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import type { Decision, Objection, Verification } from './turns/turn-result.ts';

/** An accepted turn as the context slice may keep it. The key is the turn's: depositing it again is the same package. */
export interface TurnPackage {
  readonly projectId: string;
  readonly author: Actor;
  readonly key: string;
  readonly runId: string;
  readonly turnId: string;
  readonly role: string;
  readonly phase: string;
  readonly status: string;
  readonly summary: string;
  readonly decisions: readonly Decision[];
  readonly objections: readonly Objection[];
  readonly files: readonly string[];
  readonly verification: Verification;
  readonly acceptedAt: string;
}

/** A decision that outlives its run. A null statement says that it holds no longer. */
export interface DecisionFact {
  readonly projectId: string;
  readonly author: Actor;
  /** `decision/<repository>/<DEC-id>`. */
  readonly key: string;
  readonly statement: string | null;
  readonly rationale: string;
  readonly runId: string;
  readonly turnId: string;
}

export interface ResolutionRequest {
  readonly projectId: string;
  readonly goal: string;
  readonly runId: string;
  readonly gate: string;
  /** Who acts if it is allowed: the run, not the person at the gate, who may have to approve that as well. */
  readonly actor: Actor;
}

export interface Resolution {
  readonly allowed: boolean;
  /** Not allowed yet: a person has been asked, in the inbox. */
  readonly waiting: boolean;
  readonly reason: string;
}

/** What a turn says to an agent that is a peer of the relay. */
export interface PeerQuestion {
  readonly projectId: string;
  readonly actor: Actor;
  readonly peer: string;
  readonly text: string;
  readonly role: string;
  readonly runId: string;
}

export interface PeerAnswer {
  readonly text: string;
  /** How the peer's task stands; null when it answered with a message. */
  readonly state: string | null;
  readonly traceId: string;
}

/** What this slice needs of the others. Whatever takes the unit of work commits with what it belongs to. */
export interface DeliveryPorts {
  readonly inbox: Inbox;
  /** Writes to the ledger of an actor's standing session. */
  readonly record: RecordEvent;
  readonly deposit: (uow: UnitOfWork, turn: TurnPackage) => Promise<void>;
  readonly assertFact: (uow: UnitOfWork, fact: DecisionFact) => Promise<void>;
  /** Asks the governance slice, outside any unit: a gate that demands it does not act without. */
  readonly resolve: (request: ResolutionRequest) => Promise<Resolution>;
  /** Speaks through the relay, outside any unit. */
  readonly askPeer: (question: PeerQuestion, signal: AbortSignal) => Promise<PeerAnswer>;
}
