import type { Reader } from '../../storage/database.ts';
import type { CheckedEvent } from './checked-event.ts';
import type { Faults, StateReport } from './report.ts';

/** Follows the events in the order of their leaves, in the view that they are read in, and compares the tables at the end. */
export interface StateCheck {
  push(events: readonly CheckedEvent[]): void | Promise<void>;
  finish(): Promise<StateReport>;
}

export type OpenStateCheck = (reader: Reader, faults: Faults) => StateCheck;
