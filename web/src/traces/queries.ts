import type { Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

export type TraceSession = Result<Operations['relay.sessions']>['items'][number];
export type Span = Result<Operations['relay.spans']>['items'][number];

/** Spans are no events of the journal: nobody tells when one arrives, so the page looks. */
const LOOK_MS = 3_000;
const SESSIONS = 50;
const SPANS = 100;

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

interface SpansAsked extends PageAsked {
  readonly agent: string | undefined;
  /** `key` or `key=value`. */
  readonly attribute: string | undefined;
  readonly failed: boolean;
}

/** The newest of a session first, a page at a time. */
export const spansQuery = (
  project: string,
  sessionId: string,
  { words, cursor, agent, attribute, failed }: SpansAsked,
) =>
  queryOptions({
    queryKey: ['traces', project, 'spans', sessionId, words, cursor, agent, attribute, failed],
    queryFn: ({ signal }) =>
      client.call(
        'relay.spans',
        {
          project,
          session_id: sessionId,
          newest: true,
          limit: SPANS,
          ...(words && { words }),
          ...(agent && { agent }),
          ...(attribute && { attribute: [attribute] }),
          ...(failed && { status: 'error' }),
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

export type Conversation = Result<Operations['relay.conversation']>;
export type Message = Conversation['items'][number];
export type Waterfall = Result<Operations['relay.waterfall']>;
export type WaterfallRow = Waterfall['rows'][number];
export type Stats = Result<Operations['relay.stats']>;

const TRACES = 100;

/** The latest traces of a session, or those of them that failed. */
export const tracesQuery = (project: string, sessionId: string, failed: boolean) =>
  queryOptions({
    queryKey: ['traces', project, 'traces', sessionId, failed],
    queryFn: ({ signal }) =>
      client.call(
        'relay.traces',
        { project, session_id: sessionId, limit: TRACES, ...(failed && { status: 'error' }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  });

export const sessionQuery = (project: string, sessionId: string) =>
  queryOptions({
    queryKey: ['traces', project, 'session', sessionId],
    queryFn: ({ signal }) => client.call('relay.session', { project, session_id: sessionId }, { signal }),
    refetchInterval: 3 * LOOK_MS,
  });

export const conversationQuery = (project: string, sessionId: string) =>
  queryOptions({
    queryKey: ['traces', project, 'conversation', sessionId],
    queryFn: ({ signal }) =>
      client.call('relay.conversation', { project, session_id: sessionId }, { signal }),
    refetchInterval: 3 * LOOK_MS,
  });

/** Rows of a trace are read a page at a time, where somebody looks. */
export const ROWS = 200;

export const waterfallQuery = (project: string, traceId: string, page: number) =>
  queryOptions({
    queryKey: ['traces', project, 'waterfall', traceId, page],
    queryFn: ({ signal }) =>
      client.call(
        'relay.waterfall',
        { project, trace_id: traceId, from: page * ROWS, limit: ROWS },
        { signal },
      ),
    refetchInterval: 5 * LOOK_MS,
  });

/** The page that has a span, for whoever comes from a message or a link. */
export const waterfallAroundQuery = (project: string, traceId: string, span: string) =>
  queryOptions({
    queryKey: ['traces', project, 'waterfall', traceId, 'around', span],
    queryFn: ({ signal }) =>
      client.call('relay.waterfall', { project, trace_id: traceId, around: span, limit: ROWS }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const compareQuery = (project: string, left: string, right: string) =>
  queryOptions({
    queryKey: ['traces', project, 'compare', left, right],
    queryFn: ({ signal }) => client.call('relay.compare', { project, left, right }, { signal }),
    enabled: left !== '' && right !== '',
  });

/** Of all sessions of the project. */
export const agentStatsQuery = (project: string, hours: number) =>
  queryOptions({
    queryKey: ['traces', project, 'stats', hours],
    queryFn: ({ signal }) =>
      client.call(
        'relay.stats',
        {
          project,
          by: 'agent',
          interval: hours > 72 ? 'day' : 'hour',
          from: new Date(Date.now() - hours * 3_600_000).toISOString(),
          limit: 12,
          sort: 'errors',
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
