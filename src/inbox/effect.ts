import type { Json } from '../kernel/json/value.ts';
import type { UnitOfWork } from '../storage/database.ts';
import type { DecisionMade, InboxItem } from './item.ts';

export type MadeWithEdits = DecisionMade & { readonly edits: Json | undefined };

interface Closable {
  /** What closing without a decision means to the slice that asked. */
  expired?(uow: UnitOfWork, item: InboxItem): Promise<void>;
}

/** What a decision of one kind brings about, a rejection too. */
export type InboxEffect =
  | (Closable & {
      /** Only rows: done in the deciding unit. An error refuses the decision, and the item stays open. */
      readonly apply: 'rows';
      run(uow: UnitOfWork, item: InboxItem, made: MadeWithEdits): Promise<void>;
    })
  | (Closable & {
      /** Slow, or outside the store: a job keyed by the item; see `inboxJob`. */
      readonly apply: 'job';
      readonly jobKind: string;
      readonly maxAttempts?: number;
    });
