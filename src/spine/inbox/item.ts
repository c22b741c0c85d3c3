import type { Micros } from '../../kernel/clock.ts';
import type { Actor } from '../identity/principal.ts';

export const risks = ['low', 'medium', 'high', 'critical'] as const;
export type Risk = (typeof risks)[number];

/** `expired` and `superseded` close an item without a person; `applied` and `failed` say what came of a decision. */
export const itemStates = ['open', 'decided', 'applied', 'failed', 'superseded', 'expired'] as const;
export type ItemState = (typeof itemStates)[number];

export const ITEM_SORTS = ['oldest', 'newest', 'risk', 'expiry', 'urgency'] as const;
/** Ascending orders: a group of like items stands where its first would. */
export const GROUP_SORTS = ['urgency', 'risk', 'oldest'] as const;
export type GroupSort = (typeof GROUP_SORTS)[number];

/** How many items one request decides. */
export const MOST_AT_ONCE = 200;

export type ItemSort = (typeof ITEM_SORTS)[number];

export const decisions = ['approve', 'reject', 'approve_with_edits'] as const;
export type Decision = (typeof decisions)[number];

/** What an item is about, or waits on it: a package, an action, a memory, a gate. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** What whoever approves may choose between, in words that say what each allows. The first is the default. */
export interface Choice {
  readonly id: string;
  readonly words: string;
}

export interface DecisionMade {
  readonly decision: Decision;
  /** Which of the item's choices was approved; null for a rejection, or where there is nothing to choose. */
  readonly choice: string | null;
  readonly decidedBy: Actor;
  /** The kind of credential used, so that an audit can tell a dashboard session from a bare key. */
  readonly credential: string;
  readonly decidedAt: string;
  readonly note: string | null;
  /** Salted, because edits may be personal. */
  readonly editsHash: string | null;
  /** Who had agreed before, where one person is not enough. */
  readonly agreedBy?: readonly string[];
}

export interface InboxItem {
  /** Order of opening. */
  readonly seq: number;
  readonly itemId: string;
  readonly projectId: string;
  readonly kind: string;
  readonly state: ItemState;
  /** The actor of the credential that asked: it can never decide. */
  readonly requestedBy: Actor;
  /** The actor that the credential spoke for, who can decide as little; itself where it spoke for nobody. */
  readonly requestedFor: Actor;
  /** The credential that asked, as `kind:id`; null where the server itself asked. */
  readonly requestedWith: string | null;
  /** Globs on the ids of actors who may decide; null lets everyone decide who has the scope. */
  readonly deciders: readonly string[] | null;
  /** The operator may decide too, although `deciders` does not name them. */
  readonly ownerDecides: boolean;
  /** It tells of a person: an agent sees it only if it asked, others without the right see that there is one. */
  readonly personal: boolean;
  readonly choices: readonly Choice[];
  /** How many people have to agree. One who rejects decides alone. */
  readonly quorum: number;
  readonly subject: Subject;
  /** Of the exact bytes to approve: a decision about anything else is refused. */
  readonly digest: string;
  /** The rule that requires a person. */
  readonly rule: string;
  readonly title: string;
  readonly risk: Risk;
  readonly openedAt: string;
  readonly expiresAt: string | null;
  readonly expires: Micros | null;
  readonly unblocks: readonly Subject[];
  readonly editsAllowed: boolean;
  readonly humansOnly: boolean;
  /** Shared by requests that are alike; null where an item stands alone. See `likeKeyOf`. */
  readonly likeKey: string | null;
  /** Until when the decision can be taken back, where its effect was held back. */
  readonly heldUntil: string | null;
  readonly salt: string;
  readonly decision: DecisionMade | null;
  /** Why it failed or was superseded, as a code. */
  readonly reason: string | null;
}

/** What a reader is shown: an item past its expiry is closed, whether or not anybody has swept it up. */
export function stateAt(item: InboxItem, now: Micros): ItemState {
  return item.state === 'open' && item.expires !== null && item.expires <= now ? 'expired' : item.state;
}
