import { appendDecision } from '../../decisions/ledger-rules.ts';
import { asDoc } from '../../document.ts';
import { inflateLedger, inflateState } from '../inflate.ts';
import { type Operation, refused } from '../operation.ts';

export const appendDecisionOperation: Operation = (args, setup) => {
  const ledger = inflateLedger(setup.ledger);
  const state = inflateState(setup.state, {});
  const outcome = appendDecision(ledger, asDoc(args.entry), state.run_id);
  if (!outcome.ok) return refused(outcome.refusal, { ledger_length: ledger.length });
  return {
    result: 'success',
    ledger_length: outcome.value.length,
    ledger_last_entry: outcome.value.at(-1) ?? null,
  };
};
