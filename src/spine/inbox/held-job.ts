import { BatonError } from '../../kernel/error.ts';
import type { JobHandler } from '../jobs/handler.ts';
import type { Database } from '../storage/database.ts';
import type { Inbox } from './inbox.ts';

/** Between a decision that was held back and its effect. */
export const HELD_JOB = 'inbox.apply';

/**
 * Applies decisions that were held back so that they could be undone. A refusal that came up meanwhile, such as rules that
 * were replaced, opens the item again: nobody's decision may vanish.
 */
export function heldJob(db: Database, inbox: Inbox): JobHandler {
  return {
    // Applying happens in one unit, which does nothing to an item that is no longer decided.
    idempotent: true,
    async run({ key }) {
      try {
        await db.write((uow) => inbox.applyHeld(uow, key));
      } catch (error) {
        if (!(error instanceof BatonError) || error.retryable) throw error;
        await db.write((uow) => inbox.reopen(uow, key, error.code));
      }
    },
    async recorded(uow, { key }, outcome) {
      if (outcome.state === 'failed') await inbox.reopen(uow, key, 'not_applied');
    },
  };
}
