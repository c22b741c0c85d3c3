import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Refusal } from '../outcome.ts';

export interface VerbDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
}

/** An operation of the corpus. It answers what happened, never whether that is right. */
export type Verb = (
  args: LooseRecord,
  setup: LooseRecord,
  deps: VerbDeps,
) => LooseRecord | Promise<LooseRecord>;

export function refused(refusal: Refusal, more: LooseRecord = {}): LooseRecord {
  return {
    result: 'error',
    error_type: refusal.type,
    ...(refusal.field === undefined ? {} : { error_field: refusal.field }),
    message: refusal.message,
    next: refusal.next,
    ...refusal.details,
    ...more,
  };
}
