import type { Micros } from '../../kernel/clock.ts';
import type { BatonError } from '../../kernel/error.ts';
import type { Aside } from './aside-store.ts';
import type { Highlight } from './effect.ts';
import { type InboxItem, stateAt } from './item.ts';
import { mayEdit } from './rules.ts';
import type { itemSchema } from './schema.ts';

export type ItemBody = (typeof itemSchema)['_output'];

export interface Looking {
  readonly now: Micros;
  /** Why whoever looks may not decide it. */
  readonly refused: BatonError | undefined;
  readonly lacksScope: boolean;
  readonly needsPresence: boolean;
  /** Whoever looks has asked for it. */
  readonly asked: boolean;
  /** Who has agreed so far, where it takes more than one. */
  readonly agreedBy: readonly string[];
  /** What whoever looks has put aside of it, and what was handed to them. */
  readonly asides: readonly Aside[];
  readonly viewerId: string;
  readonly highlights?: readonly Highlight[] | undefined;
}

const UNSHOWN_TITLE = 'Something about a person, which is not yours to decide';

/** An item as one reader sees it: whether they can decide it and why not, and nothing about a person that is not theirs to know. */
export function shownItem(item: InboxItem, looking: Looking): ItemBody {
  const { decision } = item;
  const state = stateAt(item, looking.now);
  const unshown = item.personal && !looking.asked && looking.refused !== undefined;
  const fault = state === 'open' ? faultOf(looking) : null;
  return {
    id: item.itemId,
    seq: item.seq,
    kind: item.kind,
    project_id: item.projectId,
    state,
    title: unshown ? UNSHOWN_TITLE : item.title,
    requested_by: item.requestedBy,
    requested_for: item.requestedFor,
    personal: item.personal,
    can_decide: state === 'open' && fault === null,
    cannot_decide: fault,
    choices: [...item.choices],
    quorum: item.quorum,
    agreed_by: unshown ? [] : [...looking.agreedBy],
    subject: unshown ? { type: item.subject.type, id: '' } : item.subject,
    digest: unshown ? '' : item.digest,
    rule: item.rule,
    risk: item.risk,
    opened_at: item.openedAt,
    expires_at: item.expiresAt,
    unblocks: unshown ? [] : [...item.unblocks],
    edits_allowed: mayEdit(item),
    humans_only: item.humansOnly,
    needs_presence: looking.needsPresence,
    like: item.likeKey,
    ...(looking.highlights && !unshown && { highlights: [...looking.highlights] }),
    aside: ownAside(looking),
    handed_by: looking.asides
      .filter(({ handedTo }) => handedTo === looking.viewerId)
      .map(({ actorId }) => actorId),
    undo_until: state === 'decided' ? item.heldUntil : null,
    decision: decision && {
      decision: decision.decision,
      choice: decision.choice,
      decided_by: decision.decidedBy,
      credential: decision.credential,
      decided_at: decision.decidedAt,
      note: unshown ? null : decision.note,
    },
    reason: item.reason,
  };
}

/** A deferral that is over counts no more. */
function ownAside({ asides, viewerId, now }: Looking): ItemBody['aside'] {
  const own = asides.find(({ actorId, until }) => actorId === viewerId && (until === null || until > now));
  return own ? { until: own.untilAt, handed_to: own.handedTo, at: own.setAt } : null;
}

function faultOf({ refused, lacksScope }: Looking): ItemBody['cannot_decide'] {
  if (refused) return { code: refused.code, message: refused.message };
  if (!lacksScope) return null;
  return { code: 'forbidden', message: 'Your credential does not have the scope inbox:decide.' };
}
