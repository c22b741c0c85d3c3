import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Doc } from '../document.ts';
import type { Refusal } from '../outcome.ts';

export interface Tools {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
}

/** A verb of the corpus, carried out by the engine. It answers what was seen, never whether that is right. */
export type Operation = (args: Doc, setup: Doc, tools: Tools) => Doc | Promise<Doc>;

export function refused(refusal: Refusal, more: Doc = {}): Doc {
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
