import type { Actor } from '../spine/identity/principal.ts';
import type { UnitOfWork } from '../spine/storage/database.ts';

/** On whose behalf a slice asks another one, and where. */
export interface Behalf {
  readonly projectId: string;
  readonly actor: Actor;
}

/**
 * What slices do for those that are composed after them. Whatever takes the unit of work commits with it; nobody knows
 * whose code it is.
 */
export interface Offers {
  /** Deposits a package of which what has one sensible value is filled in. */
  deposit(uow: UnitOfWork, by: Behalf, draft: Readonly<Record<string, unknown>>): Promise<void>;
  /** Makes a fact current. */
  assertFact(uow: UnitOfWork, by: Behalf, fact: Readonly<Record<string, unknown>>): Promise<void>;
  /** Ends a fact without a successor. */
  retractFact(
    uow: UnitOfWork,
    by: Behalf,
    key: { readonly subject: string; readonly predicate: string },
  ): Promise<void>;
  /**
   * Whether policy allows a goal; `waiting` when it would once a person has approved, which is now in the inbox.
   * `session` names the work that it belongs to, so that the approval is found again.
   */
  resolve(by: Behalf, question: PolicyQuestion): Promise<PolicyAnswer>;
  /** Says something to an agent through the relay and waits for its answer: minutes, maybe. Outside any unit. */
  askPeer(by: Behalf, message: PeerMessage, signal: AbortSignal): Promise<PeerAnswer>;
}

export interface PolicyQuestion {
  readonly session: string;
  readonly goal: string;
  /** The one action that must be allowed; without it, nothing may be denied. */
  readonly action?: string | undefined;
}

export interface PolicyAnswer {
  readonly allowed: boolean;
  readonly waiting: boolean;
  readonly reason: string;
  /** Absent where the question itself was refused. */
  readonly resolutionId?: string;
}

export interface PeerMessage {
  /** The peer, as it is registered in the project. */
  readonly to: string;
  readonly text: string;
  /** The agent that speaks. */
  readonly as: string;
  /** The A2A context, which is the session that the spans belong to. */
  readonly context: string;
}

export interface PeerAnswer {
  readonly text: string;
  /** How the peer's task stands; null when it answered with a message. */
  readonly state: string | null;
  readonly traceId: string;
}

/** Fails when the process is put together, not at the first use. */
export function needed<Name extends keyof Offers>(offers: Partial<Offers>, name: Name): Offers[Name] {
  const offer = offers[name];
  if (offer === undefined) throw new Error(`no slice before this one offers ${name}`);
  return offer;
}
