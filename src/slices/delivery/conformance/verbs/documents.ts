import { asList, asRecord } from '../../../../kernel/json/loose.ts';
import { admissionFaults } from '../../config/rules/admission.ts';
import { readConfig } from '../../config/rules/read.ts';
import { validateConfig } from '../../config/rules/validate.ts';
import { appendDecision } from '../../decisions/rules.ts';
import { eventFaults, orderingFaults } from '../../runs/rules/events.ts';
import { inflateConfig, inflateLedger, inflateState } from '../inflate.ts';
import { refused, type Verb } from '../verb.ts';

export const validateConfigVerb: Verb = (args, setup) => {
  const config = inflateConfig(args.config ?? setup.config);
  const faults = validateConfig(config);
  const [first] = faults;
  if (first === undefined)
    return { result: 'success', errors: [], admission: admissionFaults(readConfig(config)) };
  return {
    result: 'error',
    error_type: first.type,
    error_field: first.field,
    message: first.message,
    next: first.next,
    ...first.facts,
    errors: faults,
  };
};

export const appendDecisionVerb: Verb = (args, setup) => {
  const ledger = inflateLedger(setup.ledger);
  const state = inflateState(setup.state, {});
  const outcome = appendDecision(ledger, asRecord(args.entry), state.run_id);
  if (!outcome.ok) return refused(outcome.refusal, { ledger_length: ledger.length });
  return {
    result: 'success',
    ledger_length: outcome.value.length,
    ledger_last_entry: outcome.value.at(-1) ?? null,
  };
};

export const validateEventVerb: Verb = (args) => {
  const errors = eventFaults(args.event);
  return errors.length === 0
    ? { result: 'success', errors }
    : { result: 'error', error_type: 'invalid_event', errors };
};

export const validateEventOrderingVerb: Verb = (args) => {
  const events = asList(args.events);
  if (events.length === 0) {
    return { result: 'error', error_type: 'invalid_events', errors: ['A timeline has at least one event.'] };
  }
  const errors = orderingFaults(events);
  return errors.length === 0
    ? { result: 'success', errors }
    : { result: 'error', error_type: 'ordering_violation', errors };
};
