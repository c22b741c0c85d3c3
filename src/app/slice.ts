import type { SignedRequests } from '../faces/http/credentials.ts';
import type { Bound } from '../spine/dispatch/registry.ts';
import type { JobHandler } from '../spine/jobs/handler.ts';
import type { Migration } from '../spine/storage/migration.ts';
import type { HealthCheck } from '../spine/system/schema.ts';
import type { Offers } from './offers.ts';
import type { Spine } from './spine.ts';

/** A slice as the composition root sees it: one file in `slices/`, one line in its list. */
export interface Slice {
  readonly migrations: readonly Migration[];
  /** `offers`: what the slices composed before this one do for it. */
  compose(spine: Spine, offers: Partial<Offers>): ComposedSlice;
}

/** What a slice adds to the process. */
export interface ComposedSlice {
  readonly operations: readonly Bound[];
  /** By kind of job. */
  readonly jobs?: Readonly<Record<string, JobHandler>>;
  /** Awaited before a server takes requests. */
  readonly start?: () => Promise<void>;
  /** Awaited once the server listens at this address, for what listens beside it. */
  readonly served?: (url: string) => Promise<void>;
  /** Run every two seconds by a server, and once by a command before it ends. */
  readonly upkeep?: () => Promise<void>;
  /** What of it can fail while the server runs on; by name. */
  readonly health?: () => Readonly<Record<string, HealthCheck>>;
  /** How to authenticate requests that a protocol signs itself. */
  readonly signed?: SignedRequests;
  readonly close?: () => Promise<void>;
  readonly offers?: Partial<Offers>;
}
