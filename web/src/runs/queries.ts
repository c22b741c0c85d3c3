import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { list, maybeNumber, maybeText, record, shape, text, texts } from '../api/shape.ts';

export type Repository = Result<Operations['delivery.repositories']>['repositories'][number];
export type RunStatus = Result<Operations['delivery.status']>;

/** Rows of files in somebody's repository: any of it may be missing. */
const readTurn = shape({
  turn_id: text,
  run_id: text,
  role: text,
  phase: text,
  status: text,
  summary: text,
  files_changed: texts,
  accepted_at: text,
  duration_ms: maybeNumber,
  attempt: maybeNumber,
  verification: shape({ status: maybeText }),
  objections: list(shape({ id: text, severity: text, statement: text })),
});
export type Turn = ReturnType<typeof readTurn>;

const readDecision = shape({
  id: text,
  role: text,
  phase: text,
  statement: text,
  rationale: text,
  status: text,
  created_at: text,
});

const readEvent = shape({
  event_id: text,
  event_type: text,
  timestamp: text,
  phase: maybeText,
  turn: shape({ role_id: maybeText }),
  payload: record,
});

/** The files change outside of the server, which tells only when it has looked. */
const LOOK_MS = 5_000;
const LISTED = 50;

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

export const gateQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', 'gate', id],
    queryFn: ({ signal }) => client.call('delivery.gate', { id }, { signal }),
  });

export const turnsQuery = (id: string, skip: number) =>
  queryOptions({
    queryKey: ['runs', 'turns', id, skip],
    queryFn: async ({ signal }) => {
      const asked = { id, limit: LISTED, skip };
      const { rows, total } = await client.call('delivery.history', asked, { signal });
      return { rows: rows.map(readTurn).toReversed(), total };
    },
  });

export const decisionsQuery = (id: string, skip: number) =>
  queryOptions({
    queryKey: ['runs', 'decisions', id, skip],
    queryFn: async ({ signal }) => {
      const asked = { id, limit: LISTED, skip };
      const { rows, total } = await client.call('delivery.decisions', asked, { signal });
      return { rows: rows.map(readDecision).toReversed(), total };
    },
  });

export const eventsQuery = (id: string, skip: number) =>
  queryOptions({
    queryKey: ['runs', 'events', id, skip],
    queryFn: async ({ signal }) => {
      const asked = { id, limit: LISTED, skip };
      const { rows, total } = await client.call('delivery.events', asked, { signal });
      return { rows: rows.map(readEvent).toReversed(), total };
    },
    refetchInterval: LOOK_MS,
  });
