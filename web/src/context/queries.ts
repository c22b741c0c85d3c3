import type { Operations, Result } from '@baton-ledger/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { readPage } from '../api/paged.ts';
import { sendForText } from '../api/send-text.ts';
import { list, maybeText, shape, text, texts } from '../api/shape.ts';

export type Package = Result<Operations['packages.list']>[number];
export type Fact = Result<Operations['facts.list']>[number];
export type Hit = Result<Operations['context.search']>['hits'][number];

export type Envelope = Extract<Result<Operations['packages.get_in']>, { readonly content_hash: string }>;

const readActor = shape({ id: text, type: text });

const readHandoff = shape({
  package_id: text,
  title: text,
  handoff_note: text,
  estimated_next_actor: maybeText,
  from: readActor,
  created_at: text,
});
export type Handoff = ReturnType<typeof readHandoff>;

const readQuestion = shape({ question: text, package_id: text, asked_at: text, asked_by: readActor });
export type AskedQuestion = ReturnType<typeof readQuestion>;

export const orientQuery = (project: string) =>
  queryOptions({
    queryKey: ['context', 'orient', project],
    queryFn: async ({ signal }) => {
      const bundle = await client.call('context.orient', { project_id: project, limit: 12 }, { signal });
      return {
        ...bundle,
        handoffs: list(readHandoff)(bundle['x-handoffs']),
        questions: list(readQuestion)(bundle['x-open-questions']),
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
    queryFn: async ({ signal }): Promise<Envelope> => {
      const asked = { project_id: project, package_id: id, envelope: true };
      const found = await client.call('packages.get_in', asked, { signal });
      if (!isEnvelope(found)) throw new Error('The server answered a package without its hashes.');
      return found;
    },
  });

function isEnvelope(found: Result<Operations['packages.get_in']>): found is Envelope {
  return 'content_hash' in found && 'package' in found;
}

/** The package as its author wrote it, byte for byte between the tokens. */
export const verbatimQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'verbatim', project, id],
    queryFn: ({ signal }) => sendForText('packages.get_in', { project_id: project, package_id: id }, signal),
  });

const readNode = shape({
  package_id: text,
  /** `present`, `missing` or `redacted`. */
  state: text,
  title: maybeText,
  created_at: maybeText,
  parents: texts,
});
const readLineage = shape({ package: readNode, ancestors: list(readNode), descendants: list(readNode) });

export const lineageQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: ['context', 'lineage', project, id],
    queryFn: async ({ signal }) =>
      readLineage(await client.call('packages.lineage', { project, package_id: id }, { signal })),
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
