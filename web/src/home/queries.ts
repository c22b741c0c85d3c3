import type { Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type Activity = Result<Operations['agents.activity']>;
export type ActivityItem = Activity['items'][number];
export type Live = Result<Operations['agents.status']>;
export type Spending = Result<Operations['relay.stats']>;

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => client.call('system.health', {}, { signal }),
  refetchInterval: 10_000,
});

/** The tree as it stands, signed. */
export const checkpointQuery = queryOptions({
  queryKey: ['checkpoint'],
  queryFn: ({ signal }) => client.call('journal.checkpoint', {}, { signal }),
});

/** Even where nothing happens, time goes on. */
const LOOK_MS = 30_000;

const LANE_HOURS = 3;
const LANE_INTERVALS = 60;
const MOST_LANES = 40;
const QUARTER = 0.25;

/** The last three hours; the last one or its last quarter where nothing happened before it, so that its work is no sliver. */
export const lanesQuery = (project: string) =>
  queryOptions({
    queryKey: ['activity', project, 'lanes'],
    queryFn: async ({ signal }) => {
      const ask = (hours: number) =>
        client.call(
          'agents.activity',
          { project_id: project, hours, intervals: LANE_INTERVALS, limit: MOST_LANES },
          { signal },
        );
      const whole = await ask(LANE_HOURS);
      const first = Math.min(...whole.items.map(({ events }) => events.findIndex((n) => n > 0)));
      const since = LANE_HOURS * (1 - first / LANE_INTERVALS);
      return since <= 0 || since > 1 ? whole : ask(since > QUARTER ? 1 : QUARTER);
    },
    refetchInterval: LOOK_MS,
  });

export const liveQuery = (project: string) =>
  queryOptions({
    queryKey: ['activity', project, 'live'],
    queryFn: ({ signal }) => client.call('agents.status', { project_id: project }, { signal }),
    refetchInterval: LOOK_MS,
  });

/** How far back, and into how many intervals. */
export const SPANS = { '1h': [1, 30], '24h': [24, 48], '7d': [168, 56], '30d': [720, 60] } as const;
export type Span = keyof typeof SPANS;

export const overTimeQuery = (project: string, span: Span) =>
  queryOptions({
    queryKey: ['activity', project, 'over-time', span],
    queryFn: ({ signal }) => {
      const [hours, intervals] = SPANS[span];
      return client.call(
        'agents.activity',
        { project_id: project, by: 'actor', hours, intervals, limit: 100 },
        { signal },
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

export const spendingQuery = (project: string, span: Span) =>
  queryOptions({
    queryKey: ['traces', project, 'spending', span],
    queryFn: ({ signal }) =>
      client.call(
        'relay.stats',
        {
          project,
          by: 'agent',
          sort: 'cost',
          limit: 50,
          from: new Date(Date.now() - SPANS[span][0] * 3_600_000).toISOString(),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

/** What is told to somebody who comes back. */
export const TOLD_TYPES = [
  'action.denied',
  'carp.refused',
  'inbox.decided',
  'fact.asserted',
  'package.deposited',
  'atlas.loaded',
  'run.started',
  'memory.created',
] as const;
export const MOST_TOLD = 200;

/** The newest of it; what was seen before is left out by whoever shows it. */
export const toldQuery = (project: string) =>
  queryOptions({
    queryKey: ['activity', project, 'told'],
    queryFn: ({ signal }) =>
      client.call(
        'journal.changes',
        { project, types: [...TOLD_TYPES], newest: true, limit: MOST_TOLD },
        { signal },
      ),
  });

const MOST_WAITING = 200;

/** What I can decide: what expires next first. */
export const waitingQuery = (project: string) =>
  queryOptions({
    queryKey: ['inbox', 'home', project],
    queryFn: ({ signal }) =>
      client.call('inbox.list', { project, mine: true, sort: 'expiry', limit: MOST_WAITING }, { signal }),
    refetchInterval: 60_000,
  });
