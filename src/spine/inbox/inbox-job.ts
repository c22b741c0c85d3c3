import { readJson } from '../../kernel/json/reader.ts';
import type { JobHandler } from '../jobs/handler.ts';
import type { Database } from '../storage/database.ts';
import type { DecisionWithEdits } from './effect.ts';
import type { Inbox } from './inbox.ts';
import type { InboxItem } from './item.ts';
import { readEdits, readItem } from './store.ts';

export interface InboxWork {
  readonly idempotent: boolean;
  readonly leaseSeconds?: number;
  /** The effect itself, outside any unit; see `JobHandler.run` for what throwing means. */
  run(item: InboxItem, made: DecisionWithEdits, signal: AbortSignal): Promise<void>;
}

type Ran = 'ran' | 'closed';

/** The job of a slow effect: runs for an item that is decided and not yet settled, and settles it. */
export function inboxJob(db: Database, inbox: Inbox, work: InboxWork): JobHandler<Ran> {
  return {
    idempotent: work.idempotent,
    ...(work.leaseSeconds === undefined ? {} : { leaseSeconds: work.leaseSeconds }),
    async run(job, signal) {
      const found = await db.read(async (reader) => {
        const item = await readItem(reader, job.key);
        return item && { item, edits: await readEdits(reader, job.key) };
      });
      if (!found?.item.decision || !isUnsettled(found.item)) return 'closed';
      const edits = found.edits === null ? undefined : readJson(found.edits);
      await work.run(found.item, { ...found.item.decision, edits }, signal);
      return 'ran';
    },
    async recorded(uow, job, outcome) {
      if (outcome.state === 'done') {
        if (outcome.result === 'ran') await inbox.settle(uow, job.key, { state: 'applied' });
        return;
      }
      const reason = outcome.state === 'failed' ? outcome.error : 'outcome_unknown';
      await inbox.settle(uow, job.key, { state: 'failed', reason });
    },
  };
}

function isUnsettled(item: InboxItem): boolean {
  return item.state === 'decided' || (item.state === 'failed' && item.reason === 'outcome_unknown');
}
