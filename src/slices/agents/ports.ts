import type { Clock } from '../../kernel/clock.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import type { Behalf } from '../../spine/identity/on-behalf.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import type { Session } from '../../spine/identity/sessions/session.ts';
import type { Sessions } from '../../spine/identity/sessions/sessions.ts';
import type { Inbox } from '../../spine/inbox/inbox.ts';
import type { Journal } from '../../spine/journal/journal.ts';
import type { Database, Reader, UnitOfWork } from '../../spine/storage/database.ts';

/** What this slice needs from the rest of the product. */
export interface AgentsPorts {
  readonly db: Database;
  readonly clock: Clock;
  /** Ever-growing UUIDv7. */
  readonly ids: () => string;
  readonly hasher: Hasher;
  readonly journal: Journal;
  readonly sessions: Sessions;
  readonly inbox: Inbox;
  /** Removes secrets. */
  readonly redact: (text: string) => string;

  /** The orientation as Markdown, for one session; what is handed out is recorded. */
  brief(request: {
    readonly principal: Principal;
    readonly projectId: string;
    readonly maxTokens: number;
    readonly session: Session;
  }): Promise<string>;
  /** Packages and facts that bear on a text, best first. */
  findRelated(
    principal: Principal,
    query: { readonly projectId: string; readonly query: string; readonly limit: number },
  ): Promise<RelatedText[]>;
  /** What the person lets this agent know. */
  recall(
    principal: Principal,
    request: {
      readonly query?: string;
      readonly limit: number;
      readonly requestId: string;
      readonly session?: string;
    },
  ): Promise<{ readonly memoryId: string; readonly content: string }[]>;
  /** Proposes to the person what they said of themselves in these turns. */
  capture(
    uow: UnitOfWork,
    principal: Principal,
    request: {
      readonly session: string;
      readonly turns: readonly { readonly id: string; readonly text: string; readonly at: string }[];
      readonly clientName?: string;
    },
  ): Promise<unknown>;
  deposit(uow: UnitOfWork, by: Behalf, draft: DepositDraft): Promise<void>;
  ownDeposit(
    reader: Reader,
    session: { readonly projectId: string; readonly sessionId: string; readonly authorId: string },
  ): Promise<{ readonly packageId: string; readonly depositedMicros: number } | undefined>;
  supersedeDeposit(
    uow: UnitOfWork,
    which: { readonly projectId: string; readonly packageId: string; readonly by: string },
  ): Promise<void>;
  judgeCall(uow: UnitOfWork, principal: Principal, call: GovernedCall): Promise<CallJudgement>;
}

interface RelatedText {
  readonly kind: 'package' | 'fact';
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly author?: Actor;
  readonly sessionId?: string | null;
}

export interface DepositDraft {
  readonly title: string;
  readonly [member: string]: unknown;
}

export interface GovernedCall {
  readonly session: Session;
  readonly goal: string;
  readonly steps: readonly { readonly actionId: string; readonly parameters: JsonObject }[];
  readonly clientAsks: boolean;
}

export interface StepJudgement {
  readonly actionId: string;
  readonly parameters: JsonObject;
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly verdict: 'allow' | 'deny' | 'ask';
  readonly policyId: string;
  readonly reason: string;
  readonly spanId: string;
  readonly atlas: { readonly id: string; readonly version: string };
}

export interface CallJudgement {
  readonly effect: 'allow' | 'deny' | 'ask';
  readonly steps: readonly StepJudgement[];
  readonly items: readonly string[];
}
