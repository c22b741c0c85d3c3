import type { ContextOffers } from '../slices/context/slice.ts';
import type { PolicyAnswer, PolicyQuestion } from '../slices/governance/resolution/check-policy.ts';
import type { SharedAnswer } from '../slices/governance/resolution/shared-checks.ts';
import type { Governance } from '../slices/governance/slice.ts';
import type { MemoryOffers } from '../slices/memory/slice.ts';
import type { Behalf } from '../spine/identity/on-behalf.ts';

/**
 * What slices do for those that are composed after them. Whatever takes the unit of work commits with it; the caller
 * does not know which slice does it.
 */
export interface Offers extends ContextOffers, MemoryOffers, Pick<Governance, 'judgeCall'> {
  /**
   * Asks whether policy allows a goal. `waiting` means: once a person has approved it, for which the inbox now has an
   * item. `session` names the work it belongs to, so that the approval is found again.
   */
  resolve(by: Behalf, question: PolicyQuestion): Promise<PolicyAnswer>;
  /** The same for what asks it again with every message: an answer that nothing can have changed is shared. */
  resolveShared(by: Behalf, question: PolicyQuestion): Promise<SharedAnswer>;
  /** Sends a message to an agent through the relay and waits for the answer, maybe for minutes. Outside any unit. */
  askPeer(by: Behalf, message: PeerMessage, signal: AbortSignal): Promise<PeerAnswer>;
}

export interface PeerMessage {
  /** The peer's id in the project. */
  readonly to: string;
  readonly text: string;
  /** The agent that sends it. */
  readonly as: string;
  /** The A2A context: the session of the spans. */
  readonly context: string;
}

export interface PeerAnswer {
  readonly text: string;
  /** The state of the peer's task; null if it answered with a message. */
  readonly state: string | null;
  readonly traceId: string;
}

/** Fails when the process is composed, not at the first use. */
export function needed<Name extends keyof Offers>(offers: Partial<Offers>, name: Name): Offers[Name] {
  const offer = offers[name];
  if (offer === undefined) throw new Error(`no slice before this one offers ${name}`);
  return offer;
}
