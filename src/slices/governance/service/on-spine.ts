import type { Identity } from '../../../spine/identity/identity.ts';
import { type PayloadCodec, plainPayloads } from '../../../spine/journal/events/payload-codec.ts';
import { createExecutors, type Executor, echoExecutor } from '../executors/executor.ts';
import type { GovernanceDeps, GovernanceSettings } from '../ports.ts';
import { createGovernance, type Governance } from './service.ts';

/** What this slice takes of what every slice stands on. */
export interface GovernanceSpine
  extends Pick<GovernanceDeps, 'db' | 'clock' | 'ids' | 'hasher' | 'journal' | 'feed' | 'inbox'> {
  /** How payloads stand in the store; as they are unless given. */
  readonly payloads?: PayloadCodec;
  readonly identity: Identity;
}

export interface GovernanceOptions {
  /** Makes the executor of an http(s) address; without it there is none. */
  readonly http?: (url: URL) => Executor;
  readonly settings?: GovernanceSettings;
}

/** The slice with the executors that come with it. */
export function governanceOnSpine(spine: GovernanceSpine, { http, settings }: GovernanceOptions): Governance {
  const { db, clock, ids, hasher, journal, feed, payloads = plainPayloads, inbox, identity } = spine;
  const executors = createExecutors(http && { http });
  executors.register('echo', echoExecutor);
  return createGovernance({
    db,
    clock,
    ids,
    hasher,
    journal,
    feed,
    inbox,
    executors,
    sessions: identity,
    record: identity.record,
    payloads,
    ...(settings && { settings }),
  });
}
