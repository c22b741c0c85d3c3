import type { Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type TraceSession = Result<Operations['relay.sessions']>['items'][number];
export type Span = Result<Operations['relay.spans']>['items'][number];

/** Spans are no events of the journal: nobody tells when one arrives, so the page looks. */
const LOOK_MS = 3_000;
const SESSIONS = 50;
const SPANS = 500;

interface PageAsked {
  readonly words: string | undefined;
  readonly cursor: string | undefined;
}

export const traceSessionsQuery = (project: string, { words, cursor }: PageAsked) =>
  queryOptions({
    queryKey: ['traces', project, 'sessions', words, cursor],
    queryFn: ({ signal }) =>
      client.call(
        'relay.sessions',
        { project, limit: SESSIONS, ...(words && { words }), ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

/** The newest of a session first, a page at a time. */
export const spansQuery = (project: string, sessionId: string, { words, cursor }: PageAsked) =>
  queryOptions({
    queryKey: ['traces', project, 'spans', sessionId, words, cursor],
    queryFn: ({ signal }) =>
      client.call(
        'relay.spans',
        {
          project,
          session_id: sessionId,
          newest: true,
          limit: SPANS,
          ...(words && { words }),
          ...(cursor !== undefined && { before: Number(cursor) }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

export const spanQuery = (project: string, sessionId: string, spanId: string) =>
  queryOptions({
    queryKey: ['traces', project, 'span', sessionId, spanId],
    queryFn: async ({ signal }) => {
      const asked = { project, session_id: sessionId, words: spanId, limit: 50 };
      const { items } = await client.call('relay.spans', asked, { signal });
      return items.find(({ span_id }) => span_id === spanId) ?? null;
    },
  });

export const graphQuery = (project: string, sessionId: string) =>
  queryOptions({
    queryKey: ['traces', project, 'graph', sessionId],
    queryFn: ({ signal }) => client.call('relay.graph', { project, session_id: sessionId }, { signal }),
    refetchInterval: LOOK_MS,
  });
