import type { Operations, Result } from '@baton-ledger/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { readPage } from '../api/paged.ts';
import { sendForText } from '../api/send-text.ts';

export type Package = Result<Operations['packages.list']>[number];
export type Fact = Result<Operations['facts.list']>[number];
export type Hit = Result<Operations['context.search']>['hits'][number];

export interface Envelope {
  readonly package: Package | null;
  readonly content_hash: string;
  readonly deposit_hash: string;
  readonly body_hash: string;
  readonly superseded_by: string | null;
  readonly redacted: boolean;
}

export interface Handoff {
  readonly package_id: string;
  readonly title: string;
  readonly handoff_note: string;
  readonly estimated_next_actor: string | null;
  readonly from: { readonly id: string; readonly type: string };
  readonly created_at: string;
}

export interface AskedQuestion {
  readonly question: string;
  readonly package_id: string;
  readonly asked_at: string;
  readonly asked_by: { readonly id: string; readonly type: string };
}

export const orientQuery = (project: string) =>
  queryOptions({
    queryKey: ['context', 'orient', project],
    queryFn: async ({ signal }) => {
      const bundle = await client.call('context.orient', { project_id: project, limit: 12 }, { signal });
      return {
        ...bundle,
        handoffs: (bundle['x-handoffs'] ?? []) as readonly Handoff[],
        questions: (bundle['x-open-questions'] ?? []) as readonly AskedQuestion[],
      };
    },
  });

const LISTED = 30;

export const packagesQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['context', 'packages', project],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        'packages.list',
        { project_id: project, limit: LISTED, ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  });

export const searchQuery = (project: string, query: string) =>
  queryOptions({
    queryKey: ['context', 'search', project, query],
    queryFn: ({ signal }) => client.call('context.search', { project, query, limit: LISTED }, { signal }),
    placeholderData: keepPreviousData,
    enabled: query !== '',
  });

export const packageQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'package', project, id],
    queryFn: async ({ signal }) =>
      (await client.call(
        'packages.get_in',
        { project_id: project, package_id: id, envelope: true },
        { signal },
      )) as unknown as Envelope,
  });

/** The package as its author wrote it, byte for byte between the tokens. */
export const verbatimQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'verbatim', project, id],
    queryFn: ({ signal }) => sendForText('packages.get_in', { project_id: project, package_id: id }, signal),
  });

export interface LineageNode {
  readonly package_id: string;
  readonly state: 'present' | 'missing' | 'redacted';
  readonly title?: string;
  readonly status?: string;
  readonly created_at?: string;
  readonly parents: readonly string[];
}

export const lineageQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'lineage', project, id],
    queryFn: async ({ signal }) =>
      (await client.call('packages.lineage', { project, package_id: id }, { signal })) as unknown as {
        readonly package: LineageNode;
        readonly ancestors: readonly LineageNode[];
        readonly descendants: readonly LineageNode[];
      },
  });

export const reviewsQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'reviews', project, id],
    queryFn: ({ signal }) => client.call('review.log', { project, package_id: id }, { signal }),
  });

export const attestationsQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'attestations', project, id],
    queryFn: ({ signal }) => client.call('attestations.list', { project, package_id: id }, { signal }),
  });

const FACTS = 200;

/** With its past, newest first; what was true at an instant where one is given. */
export const factsQuery = (project: string, asOf: string | undefined) =>
  queryOptions({
    queryKey: ['context', 'facts', project, asOf],
    queryFn: ({ signal }) =>
      client.call(
        'facts.list',
        { project_id: project, limit: FACTS, ...(asOf === undefined ? { history: true } : { as_of: asOf }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const sessionsQuery = (project: string, limit = 50) =>
  queryOptions({
    queryKey: ['context', 'sessions', project, limit],
    queryFn: ({ signal }) => client.call('sessions.list', { project_id: project, limit }, { signal }),
  });
