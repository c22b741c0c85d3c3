import type { Operations, Result } from '@baton-ledger/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { readPage } from '../api/paged.ts';
import { sendForText } from '../api/send-text.ts';
import { list, maybeText, shape, text, texts } from '../api/shape.ts';
import { endOfDay } from './end-of-day.ts';

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

const LISTED = 100;
export const BEST = 50;

/** How much the project holds, on all pages together. */
export const countsQuery = (project: string) =>
  queryOptions({
    queryKey: ['context', 'counts', project],
    queryFn: ({ signal }) => client.call('context.counts', { project_id: project }, { signal }),
  });

export const packagesQuery = (project: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['context', 'packages', project, cursor],
    queryFn: ({ signal }) =>
      readPage(
        'packages.list',
        { project_id: project, limit: LISTED, ...(cursor !== undefined && { cursor }) },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

export const searchQuery = (project: string, query: string) =>
  queryOptions({
    queryKey: ['context', 'search', project, query],
    queryFn: ({ signal }) => client.call('context.search', { project, query, limit: BEST }, { signal }),
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
export type Lineage = ReturnType<typeof readLineage>;
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

export interface FactsAsked {
  readonly words: string | undefined;
  /** A day as the person's calendar has it. */
  readonly asOf: string | undefined;
  readonly cursor: string | undefined;
}

/** Each subject and predicate once; what was true at the end of a day where one is given. */
export const factsQuery = (project: string, { words, asOf, cursor }: FactsAsked) =>
  queryOptions({
    queryKey: ['context', 'facts', project, words, asOf, cursor],
    queryFn: ({ signal }) =>
      client.call(
        'facts.latest',
        {
          project_id: project,
          limit: LISTED,
          ...(words && { words }),
          ...(asOf !== undefined && { as_of: endOfDay(asOf, Date.now()) }),
          ...(cursor !== undefined && { cursor }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Every value that one thing has had, newest first, some at a time. */
export const factHistoryQuery = (project: string, subject: string, predicate: string) =>
  infiniteQueryOptions({
    queryKey: ['context', 'fact', project, subject, predicate],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        'facts.list',
        {
          project_id: project,
          subject,
          predicate,
          history: true,
          limit: LISTED,
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  });

const SESSIONS = 50;

export const sessionsQuery = (
  project: string,
  {
    limit = SESSIONS,
    offset = 0,
    callsign,
  }: { limit?: number; offset?: number; callsign?: string | undefined } = {},
) =>
  queryOptions({
    queryKey: ['context', 'sessions', project, limit, offset, callsign],
    queryFn: ({ signal }) =>
      client.call(
        'sessions.list',
        { project_id: project, limit, offset, ...(callsign && { callsign }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

const MOST_OF_SUBJECT = 200;

/** Every value of a subject, as far as one timeline can show them. */
export const subjectQuery = (project: string, subject: string) =>
  queryOptions({
    queryKey: ['context', 'subject', project, subject],
    queryFn: async ({ signal }) => {
      const asked = { project_id: project, subject, history: true, limit: MOST_OF_SUBJECT };
      return (await readPage('facts.list', asked, signal)).items;
    },
  });

/** What was held true at an instant: as it was known then, and as it is known now. */
export const believedQuery = (project: string, subject: string, at: string) =>
  queryOptions({
    queryKey: ['context', 'believed', project, subject, at],
    queryFn: async ({ signal }) => {
      const asked = { project_id: project, subject, as_of: at, limit: MOST_OF_SUBJECT };
      const [believed, wasTrue] = await Promise.all([
        readPage('facts.list', { ...asked, known_at: at }, signal),
        readPage('facts.list', asked, signal),
      ]);
      const heldValue = (facts: readonly Fact[], predicate: string) =>
        facts.find((fact) => fact.predicate === predicate)?.value;
      const predicates = new Set([...believed.items, ...wasTrue.items].map(({ predicate }) => predicate));
      return [...predicates].sort().map((predicate) => ({
        predicate,
        believed: heldValue(believed.items, predicate),
        wasTrue: heldValue(wasTrue.items, predicate),
      }));
    },
    placeholderData: keepPreviousData,
  });
