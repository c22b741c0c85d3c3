import type { Micros } from '../../../kernel/clock.ts';
import type { Actor } from '../principal.ts';

export type SessionStatus = 'active' | 'ended';

export type EndReason = 'completed' | 'timeout' | 'error' | 'cancelled';

/** At once the Agentic Protocol's session, CRA's, and the owner of two journal chains. */
export interface Session {
  readonly sessionId: string;
  readonly projectId: string;
  /** Null on standing sessions: nobody announces them. */
  readonly callsign: string | null;
  readonly actor: Actor;
  /** Set together with `goal`: such a session is CRA's, and its trace chain begins with `session.started`. */
  readonly agentId: string | null;
  readonly goal: string | null;
  readonly atlasId: string | null;
  readonly description: string | null;
  readonly status: SessionStatus;
  /** Work of an actor outside any session goes to its one standing session in the project. */
  readonly standing: boolean;
  readonly createdAt: string;
  readonly createdMicros: Micros;
  readonly endedAt: string | null;
  readonly endReason: EndReason | null;
  readonly parentSessionId: string | null;
  readonly ledgerChainId: string;
  readonly traceId: string;
  readonly rootSpanId: string;
  /** JSON text as it was given. */
  readonly metadata: string | null;
  /** Whose session it is: `subjectOf` the actor that the credential stood for. */
  readonly subject: string;
}

export interface NewSession {
  readonly projectId: string;
  readonly actor: Actor;
  /** A supplied UUID is accepted; one is made otherwise. */
  readonly sessionId?: string | undefined;
  /** The actor's id unless given; only counts beside a goal. */
  readonly agentId?: string | undefined;
  readonly goal?: string | undefined;
  readonly atlasId?: string | undefined;
  readonly description?: string | undefined;
  readonly parentSessionId?: string | undefined;
  readonly metadata?: string | undefined;
  /** Given by imports; one is chosen otherwise. */
  readonly callsign?: string | undefined;
  /** Whose it is where that is not the actor: the owner may start a session for another. */
  readonly subject?: string | undefined;
}
