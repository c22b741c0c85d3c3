import { asList } from '../../document.ts';
import { orderingFaults } from '../../runs/rules/event-ordering.ts';
import { eventFaults } from '../../runs/rules/event-validate.ts';
import type { Operation } from '../operation.ts';

export const validateEventOperation: Operation = (args) => {
  const errors = eventFaults(args.event);
  return errors.length === 0
    ? { result: 'success', errors }
    : { result: 'error', error_type: 'invalid_event', errors };
};

export const validateEventOrderingOperation: Operation = (args) => {
  const events = asList(args.events);
  if (events.length === 0) {
    return { result: 'error', error_type: 'invalid_events', errors: ['A timeline has at least one event.'] };
  }
  const errors = orderingFaults(events);
  return errors.length === 0
    ? { result: 'success', errors }
    : { result: 'error', error_type: 'ordering_violation', errors };
};
