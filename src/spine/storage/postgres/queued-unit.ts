import type { UnitOfWork } from '../database.ts';

/** A unit that waits for its turn, and who waits for it. */
export interface QueuedUnit {
  readonly work: (uow: UnitOfWork) => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** How often it was run again because of what others did. */
  readonly reruns: number;
}
