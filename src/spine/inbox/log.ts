import type { JsonObject } from '../../kernel/json/value.ts';
import type { Actor } from '../identity/principal.ts';
import type { ChainRef } from '../journal/chains/chain.ts';
import type { Journal } from '../journal/journal.ts';
import type { UnitOfWork } from '../storage/database.ts';
import type { DecisionMade, InboxItem } from './item.ts';

export type LedgerOf = (uow: UnitOfWork, projectId: string, actor: Actor) => Promise<ChainRef>;

export type InboxLog = ReturnType<typeof createInboxLog>;

/** Every change of an item as a ledger event. Titles and notes may be personal and stay in their rows. */
export function createInboxLog(journal: Journal, ledgerOf: LedgerOf) {
  async function append(uow: UnitOfWork, item: InboxItem, by: Actor, type: string, more: JsonObject) {
    const chain = await ledgerOf(uow, item.projectId, by);
    await journal.append(uow, { chain, type, payload: { item_id: item.itemId, kind: item.kind, ...more } });
  }

  return {
    async opened(uow: UnitOfWork, item: InboxItem, sessionId: string | undefined) {
      const chain: ChainRef =
        sessionId === undefined
          ? await ledgerOf(uow, item.projectId, item.requestedBy)
          : { sessionId, kind: 'ledger' };
      await journal.append(uow, {
        chain,
        type: 'inbox.opened',
        payload: {
          item_id: item.itemId,
          kind: item.kind,
          subject_type: item.subject.type,
          subject_id: item.subject.id,
          digest: item.digest,
          rule: item.rule,
          risk: item.risk,
          requested_by: item.requestedBy.id,
          ...(item.requestedFor.id !== item.requestedBy.id && { requested_for: item.requestedFor.id }),
          expires_at: item.expiresAt,
        },
      });
    },
    agreed: (uow: UnitOfWork, item: InboxItem, made: DecisionMade) =>
      append(uow, item, made.decidedBy, 'inbox.agreed', {
        ...(made.choice !== null && { choice: made.choice }),
        agreed_by: made.decidedBy.id,
        credential: made.credential,
        digest: item.digest,
        quorum: item.quorum,
      }),
    decided: (uow: UnitOfWork, item: InboxItem, made: DecisionMade) =>
      append(uow, item, made.decidedBy, 'inbox.decided', {
        decision: made.decision,
        ...(made.choice !== null && { choice: made.choice }),
        decided_by: made.decidedBy.id,
        credential: made.credential,
        digest: item.digest,
        edits_hash: made.editsHash,
        ...(made.agreedBy && { agreed_by: [...made.agreedBy] }),
      }),
    undone: (uow: UnitOfWork, item: InboxItem, by: Actor) =>
      append(uow, item, by, 'inbox.undone', { undone_by: by.id }),
    reopened: (uow: UnitOfWork, item: InboxItem, by: Actor, reason: string) =>
      append(uow, item, by, 'inbox.reopened', { reason }),
    setAside: (uow: UnitOfWork, item: InboxItem, by: Actor, more: JsonObject) =>
      append(uow, item, by, 'inbox.set_aside', { ...more, set_aside_by: by.id }),
    broughtBack: (uow: UnitOfWork, item: InboxItem, by: Actor) =>
      append(uow, item, by, 'inbox.brought_back', { brought_back_by: by.id }),
    applied: (uow: UnitOfWork, item: InboxItem, by: Actor) => append(uow, item, by, 'inbox.applied', {}),
    failed: (uow: UnitOfWork, item: InboxItem, by: Actor, reason: string) =>
      append(uow, item, by, 'inbox.failed', { reason }),
    superseded: (uow: UnitOfWork, item: InboxItem, by: Actor, reason: string) =>
      append(uow, item, by, 'inbox.superseded', { reason, superseded_by: by.id }),
    expired: (uow: UnitOfWork, item: InboxItem) =>
      append(uow, item, item.requestedBy, 'inbox.expired', { expires_at: item.expiresAt }),
  };
}
