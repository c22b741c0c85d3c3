import type { Clock, Random } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { RecordEvent } from '../../spine/identity/ledger.ts';
import type { Behalf } from '../../spine/identity/on-behalf.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { Database, UnitOfWork } from '../../spine/storage/database.ts';

/** What the slice is composed from. */
export interface DeliveryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly ports: DeliveryPorts;
  /** Where what Baton knows of repositories is kept, out of their reach. */
  readonly keepIn: string;
  /** Of this server, for the conformance adapter's capabilities. */
  readonly version?: string;
}

/** What this slice needs of the others. Whatever takes the unit of work commits with what it belongs to. */
export interface DeliveryPorts {
  readonly inbox: Inbox;
  /** Writes to the ledger of an actor's standing session. */
  readonly record: RecordEvent;
  /** Deposits an accepted turn. The package id is the turn's, so that depositing it again changes nothing. */
  deposit(uow: UnitOfWork, by: Behalf, draft: TurnPackage): Promise<void>;
  /** Makes a decision that outlives its run a fact. */
  assertFact(uow: UnitOfWork, by: Behalf, fact: DecisionFact): Promise<void>;
  /** Ends a decision that another one overrides. */
  retractFact(uow: UnitOfWork, by: Behalf, key: DecisionKey): Promise<void>;
  /** Asks the governance slice whether policy allows a goal, outside any unit of work. */
  resolve(by: Behalf, question: PolicyQuestion): Promise<Resolution>;
  /** Sends a message through the relay and waits for the answer, outside any unit of work. */
  askPeer(by: Behalf, message: PeerMessage, signal: AbortSignal): Promise<PeerAnswer>;
}

/** An accepted turn as a context package. The optional fields are the agent's own words. */
export type TurnPackage = {
  readonly package_id: string;
  readonly title: string;
  readonly created_at: string;
  readonly tags: string[];
  readonly deliverables: { path: string; type: string }[];
  readonly description?: string;
  readonly decisions_made?: string[];
  readonly open_questions?: string[];
  readonly 'x-run': { run_id: string; turn_id: string; phase: string; status: string };
  readonly 'x-verification'?: unknown;
};

export type DecisionKey = {
  /** `decision/<repository>/<DEC-id>`. */
  readonly subject: string;
  readonly predicate: string;
};

export type DecisionFact = DecisionKey & {
  readonly value: string;
  /** The package of the turn that decided it. */
  readonly source_package_id: string;
  readonly tags: string[];
  readonly 'x-rationale'?: string;
};

export interface PolicyQuestion {
  /** The work that the question belongs to, so that an approval is found again. */
  readonly session: string;
  readonly goal: string;
  /** In whose name it is asked. */
  readonly agent: string;
}

export interface Resolution {
  readonly allowed: boolean;
  /** Not allowed yet: a person has been asked, in the inbox. */
  readonly waiting: boolean;
  readonly reason: string;
}

export interface PeerMessage {
  /** The peer, as it is registered in the project. */
  readonly to: string;
  readonly text: string;
  /** The agent that speaks. */
  readonly as: string;
  /** The A2A context: the run. */
  readonly context: string;
}

export interface PeerAnswer {
  readonly text: string;
  /** The status of the peer's task; null when it answered with a message. */
  readonly state: string | null;
  readonly traceId: string;
}
