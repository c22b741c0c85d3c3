import type { ContextOffers } from '../slices/context/slice.ts';
import type { Behalf } from '../spine/identity/on-behalf.ts';

/**
 * What slices do for those that are composed after them. Whatever takes the unit of work commits with it; the caller
 * does not know which slice does it.
 */
export interface Offers extends ContextOffers {
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
