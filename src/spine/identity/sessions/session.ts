import type { Micros } from '../../../kernel/clock.ts';
import type { Actor } from '../principal.ts';
import type { BoundAgent } from './bound-agent.ts';

export type SessionStatus = 'active' | 'ended';

export type EndReason = 'completed' | 'timeout' | 'error' | 'cancelled';

/** At once the Agentic Protocol's session, CRA's, and the owner of two journal chains. */
export interface Session {
  readonly sessionId: string;
  readonly projectId: string;
  /** Null for standing sessions, which are not announced. */
  readonly callsign: string | null;
  readonly actor: Actor;
  /** Set together with `goal`: such a session is CRA's, and its trace chain begins with `session.started`. */
  readonly agentId: string | null;
  readonly goal: string | null;
  /** Who answers for the agent; see `BoundAgent`. Null without an agent, and in sessions from before agents were bound. */
  readonly boundAgent: string | null;
  readonly atlasId: string | null;
  readonly description: string | null;
  readonly status: SessionStatus;
  /** An actor's work outside any session goes to its one standing session in the project. */
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
  /** Any UUID; generated if left out. */
  readonly sessionId?: string | undefined;
  /** The actor itself by default; only used together with a goal. */
  readonly agent?: BoundAgent | undefined;
  readonly goal?: string | undefined;
  readonly atlasId?: string | undefined;
  readonly description?: string | undefined;
  readonly parentSessionId?: string | undefined;
  readonly metadata?: string | undefined;
  /** Set by imports; otherwise one is chosen. */
  readonly callsign?: string | undefined;
  /** Whose session it is, if not the actor's: the owner may start a session for someone else. */
  readonly subject?: string | undefined;
}
