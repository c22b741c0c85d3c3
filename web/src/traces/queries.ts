import type { Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type TraceSession = Result<Operations['relay.sessions']>['items'][number];
export type Span = Result<Operations['relay.spans']>['items'][number];

/** Spans are no events of the journal: nobody tells when one arrives, so the page looks. */
const LOOK_MS = 3_000;
const MOST_SPANS = 1000;

export const traceSessionsQuery = (project: string) =>
  queryOptions({
    queryKey: ['traces', project, 'sessions'],
    queryFn: async ({ signal }) =>
      (await client.call('relay.sessions', { project, limit: 100 }, { signal })).items,
    refetchInterval: LOOK_MS,
  });

export const spansQuery = (project: string, sessionId: string) =>
  queryOptions({
    queryKey: ['traces', project, 'spans', sessionId],
    queryFn: async ({ signal }) => {
      const { items } = await client.call(
        'relay.spans',
        { project, session_id: sessionId, limit: MOST_SPANS },
        { signal },
      );
      return { spans: items, cut: items.length === MOST_SPANS };
    },
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

export const graphQuery = (project: string, sessionId: string) =>
  queryOptions({
    queryKey: ['traces', project, 'graph', sessionId],
    queryFn: ({ signal }) => client.call('relay.graph', { project, session_id: sessionId }, { signal }),
    refetchInterval: LOOK_MS,
  });
