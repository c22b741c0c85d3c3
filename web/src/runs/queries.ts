import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type Repository = Result<Operations['delivery.repositories']>['repositories'][number];
export type RunStatus = Result<Operations['delivery.status']>;

export interface Turn {
  readonly turn_id: string;
  readonly run_id: string;
  readonly role: string;
  readonly phase: string;
  readonly status: string;
  readonly summary: string;
  readonly files_changed: readonly string[];
  readonly accepted_at: string;
  readonly duration_ms?: number;
  readonly attempt?: number;
  readonly verification?: { readonly status?: string };
  readonly objections?: readonly {
    readonly id: string;
    readonly severity: string;
    readonly statement: string;
  }[];
}

interface RunDecision {
  readonly id: string;
  readonly role: string;
  readonly phase: string;
  readonly statement: string;
  readonly rationale: string;
  readonly status: string;
  readonly created_at: string;
}

interface RunEvent {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly phase: string | null;
  readonly status: string | null;
  readonly turn: { readonly turn_id: string; readonly role_id: string } | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The files change outside of the server, which tells only when it has looked. */
const LOOK_MS = 5_000;
const LISTED = 100;

export const repositoriesQuery = (project: string) =>
  queryOptions({
    queryKey: ['runs', 'repositories', project],
    queryFn: async ({ signal }) =>
      (await client.call('delivery.repositories', { project_id: project }, { signal })).repositories,
  });

export const statusQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'status', id],
    queryFn: ({ signal }) => client.call('delivery.status', { id }, { signal }),
    refetchInterval: LOOK_MS,
  });

export const turnsQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'turns', id],
    queryFn: async ({ signal }) => {
      const { rows } = await client.call('delivery.history', { id, limit: LISTED }, { signal });
      return (rows as unknown as Turn[]).toReversed();
    },
  });

export const decisionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'decisions', id],
    queryFn: async ({ signal }) => {
      const { rows } = await client.call('delivery.decisions', { id, limit: LISTED }, { signal });
      return (rows as unknown as RunDecision[]).toReversed();
    },
  });

export const eventsQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'events', id],
    queryFn: async ({ signal }) => {
      const { rows } = await client.call('delivery.events', { id, limit: LISTED }, { signal });
      return (rows as unknown as RunEvent[]).toReversed();
    },
    refetchInterval: LOOK_MS,
  });
