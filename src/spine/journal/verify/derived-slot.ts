import type { Reader } from '../../storage/database.ts';
import type { Faults } from './report.ts';

/** Tables that are made from others: what they should hold is made again, in bounded memory, and compared. */
export interface DerivedCheck {
  readonly tables: readonly string[];
  /** In the view in which everything else is verified. Reports what differs; returns how many rows it compared. */
  run(reader: Reader, faults: Faults, pause: () => Promise<void>): Promise<number>;
}
