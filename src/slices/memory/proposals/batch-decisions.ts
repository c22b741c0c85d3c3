import { asRecord } from '../../../kernel/json/loose.ts';
import { invalid } from '../errors.ts';
import { type Edits, readEdits } from './shape.ts';

export type BatchDecision =
  | { readonly action: 'reject' }
  | { readonly action: 'approve'; readonly edits: Edits };

/** By proposal; what it does not name goes on waiting. Throws for anything that is not on the card. */
export function readBatchDecisions(
  given: unknown,
  waiting: readonly string[],
): ReadonlyMap<string, BatchDecision> {
  const decisions = Object.entries(asRecord(asRecord(given).decisions));
  if (decisions.length === 0) throw invalid('/edits/decisions', 'Decide at least one of the proposals.');
  return new Map(
    decisions.map(([id, decision]) => {
      const pointer = `/edits/decisions/${id}`;
      if (!waiting.includes(id)) throw invalid(pointer, 'No such proposal waits here.');
      return [id, readDecision(decision, pointer)];
    }),
  );
}

function readDecision(given: unknown, pointer: string): BatchDecision {
  const { action, ...edits } = typeof given === 'string' ? { action: given } : asRecord(given);
  if (action === 'reject') return { action };
  if (action === 'approve') return { action, edits: readEdits(edits) };
  throw invalid(pointer, 'A decision is `approve` or `reject`.');
}
