import type { BatonError } from '../../kernel/error.ts';
import type { Json, JsonObject } from '../../kernel/json/value.ts';
import type { Principal } from '../identity/principal.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { DecisionMade, InboxItem } from './item.ts';

export type DecisionWithEdits = DecisionMade & { readonly edits: Json | undefined };

interface EffectBase {
  /**
   * Why this principal may not decide, beyond what the item itself says. Asked before a decision, and where an item is
   * shown, so that nobody is offered what they would be refused.
   */
  refuses?(reader: Reader, item: InboxItem, principal: Principal): Promise<BatonError | undefined>;
  /** Called when an item of this kind expires undecided. */
  expired?(uow: UnitOfWork, item: InboxItem): Promise<void>;
  /**
   * What a person has to see before deciding. Read when it is asked for, from where it stands, so that the item keeps no
   * copy; undefined if this reader may not see it.
   */
  describe?(reader: Reader, item: InboxItem, principal: Principal): Promise<JsonObject | undefined>;
  /** The few values by which a person tells one such item from the next in a list, the deciding ones first. */
  highlights?(reader: Reader, item: InboxItem, principal: Principal): Promise<readonly Highlight[]>;
}

export interface Highlight {
  readonly name: string;
  readonly value: string | number | boolean | null;
  /** The rule that asks looks at it. */
  readonly deciding: boolean;
}

/** What a decision of one kind, including a rejection, does. */
export type InboxEffect =
  | (EffectBase & {
      /** Only rows: done in the deciding unit. An error refuses the decision, and the item stays open. */
      readonly apply: 'rows';
      run(uow: UnitOfWork, item: InboxItem, made: DecisionWithEdits): Promise<void>;
    })
  | (EffectBase & {
      /** Slow, or outside the store: a job keyed by the item; see `inboxJob`. */
      readonly apply: 'job';
      readonly jobKind: string;
      readonly maxAttempts?: number;
    });
