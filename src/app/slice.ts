import type { Bound } from '../dispatch/registry.ts';
import type { JobHandler } from '../jobs/handler.ts';

/** What a slice adds to the process once it stands on the spine. */
export interface SliceParts {
  readonly operations: readonly Bound[];
  /** By kind of job. */
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  /** Run every two seconds by a server, and once by a command before it ends. */
  readonly upkeep?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}
