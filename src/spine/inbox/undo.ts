import { readJson } from '../../kernel/json/reader.ts';
import type { Json } from '../../kernel/json/value.ts';
import type { Principal } from '../identity/principal.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { UnitOfWork } from '../storage/database.ts';
import { inboxErrors } from './errors.ts';
import { HELD_JOB } from './held-job.ts';
import type { Inbox } from './inbox.ts';
import type { InboxItem } from './item.ts';
import type { InboxLog } from './log.ts';
import { deleteVote, holdItem, moveItem, readEdits, readItem, reopenItem, selectVotes } from './store.ts';

interface UndoDeps {
  readonly jobs: JobQueue;
  readonly log: InboxLog;
  /** The job that stands between a decision and its effect. */
  readonly jobOf: (kind: string) => string;
  /** The item, locked; throws where the principal cannot see it. */
  readonly held: (uow: UnitOfWork, itemId: string, principal: Principal) => Promise<InboxItem>;
  readonly applyEffect: (uow: UnitOfWork, item: InboxItem, edits: Json | undefined) => Promise<InboxItem>;
}

/**
 * Between a decision and its effect there is a job: one that has not begun can be cancelled, and nothing has happened. Where
 * the effect is rows, there is a job only if whoever decided asked for time to change their mind.
 */
export function createUndo({
  jobs,
  log,
  jobOf,
  held,
  applyEffect,
}: UndoDeps): Pick<Inbox, 'undo' | 'applyHeld' | 'reopen'> {
  return {
    async undo(uow, itemId, principal) {
      const item = await held(uow, itemId, principal);
      const { actor } = principal;
      if (item.state === 'open') {
        if (await deleteVote(uow, itemId, actor.id)) await log.undone(uow, item, actor);
        return item;
      }
      if (item.decision && item.decision.decidedBy.id !== actor.id) throw inboxErrors.not_your_decision();
      const begun = item.state !== 'decided' || !(await jobs.cancel(uow, jobOf(item.kind), itemId));
      if (begun || !(await reopenItem(uow, item))) throw inboxErrors.too_late_to_undo();
      await log.undone(uow, item, actor);
      return (await readItem(uow, itemId)) as InboxItem;
    },

    async applyHeld(uow, itemId) {
      const item = await holdItem(uow, itemId);
      if (item?.state !== 'decided' || !item.decision || jobOf(item.kind) !== HELD_JOB) return;
      const edits = await readEdits(uow, itemId);
      const { decision } = item;
      const votes = item.quorum === 1 ? [] : await selectVotes(uow, itemId);
      const agreedBy = votes.map(({ actorId }) => actorId).filter((id) => id !== decision.decidedBy.id);
      const whole: InboxItem = {
        ...item,
        decision: { ...decision, ...(agreedBy.length > 0 && { agreedBy }) },
      };
      await applyEffect(uow, whole, edits === null ? undefined : readJson(edits));
    },

    async reopen(uow, itemId, reason) {
      const item = await holdItem(uow, itemId);
      if (item?.state !== 'decided' || !item.decision) return;
      const by = item.decision.decidedBy;
      if (await reopenItem(uow, item)) await log.reopened(uow, item, by, reason);
      else if (await moveItem(uow, itemId, ['decided'], 'failed', reason))
        await log.failed(uow, item, by, reason);
    },
  };
}
