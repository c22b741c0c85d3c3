import type { Arguments, Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { flag, list, maybeText, shape, text } from '../api/shape.ts';

type AtlasList = Extract<Result<Operations['atlas.list']>, { readonly total: number }>;
export type AtlasSummary = AtlasList['items'][number];
type Manifest = Result<Operations['atlas.get']>;
export type Policy = NonNullable<Manifest['policies']>[number];
export type Action = NonNullable<Manifest['actions']>[number];

const readFinding = shape({ kind: text, message: text });

const readExplained = shape({
  policy_id: text,
  atlas_id: text,
  type: text,
  matched: flag,
  /** The first condition that failed. */
  failed: maybeText,
});
export type ExplainedPolicy = ReturnType<typeof readExplained>;

export const readExplanation = shape({
  action_id: text,
  effect: text,
  winner: text,
  policies: list(readExplained),
});
export type Explanation = ReturnType<typeof readExplanation>;

export const atlasesQuery = (project: string) =>
  queryOptions({
    queryKey: ['policies', project, 'atlases'],
    queryFn: async ({ signal }) => {
      const answer = await client.call('atlas.list', { project, envelope: true }, { signal });
      return 'items' in answer ? answer.items : answer;
    },
  });

export const manifestQuery = (project: string, atlasId: string) =>
  queryOptions({
    queryKey: ['policies', project, 'atlas', atlasId],
    queryFn: ({ signal }) => client.call('atlas.get', { project, atlas_id: atlasId }, { signal }),
  });

export const analysisQuery = (project: string, atlasId: string) =>
  queryOptions({
    queryKey: ['policies', project, 'analysis', atlasId],
    queryFn: async ({ signal }) => {
      const asked = { project, atlas_id: atlasId };
      const { findings, complete } = await client.call('atlas.analysis', asked, { signal });
      return { findings: findings.map(readFinding), complete };
    },
  });

const RECENT = 50;

/** What was decided, as the journal has it: the newest, or what came before a number of it. */
export const decisionsQuery = (project: string, before: string | undefined) =>
  queryOptions({
    queryKey: ['policies', project, 'decisions', before],
    queryFn: async ({ signal }) => {
      const types = [
        'policy.evaluated',
        'action.approved',
        'action.denied',
        'action.executed',
        'action.failed',
        'carp.refused',
      ];
      const from = before === undefined ? { newest: true } : { before: Number(before) };
      const page = await client.call(
        'journal.changes',
        { project, limit: RECENT, types, ...from },
        { signal },
      );
      return { entries: page.events.toSorted((a, b) => b.leaf - a.leaf), older: page.previous ?? undefined };
    },
    placeholderData: keepPreviousData,
  });

export type Impact = Result<Operations['atlas.impact']>;
type CheckAsked = Arguments<Operations['atlas.check']>;

const readRemark = shape({ severity: text, kind: text, pointer: text, message: text });
export type Remark = ReturnType<typeof readRemark>;

/** What is wrong or doubtful in a draft. */
export const checkQuery = (manifest: Record<string, unknown> | undefined) =>
  queryOptions({
    queryKey: ['policies', 'check', manifest],
    queryFn: async ({ signal }) => {
      const { loadable, findings } = await client.call('atlas.check', { manifest } as CheckAsked, { signal });
      return { loadable, remarks: findings.map(readRemark) };
    },
    placeholderData: keepPreviousData,
    enabled: manifest !== undefined,
    retry: false,
  });

const COMPARED = 100;

/** Which of the recorded decisions would be others under a draft. */
export const impactQuery = (
  project: string,
  manifest: Record<string, unknown> | undefined,
  enabled: boolean,
) =>
  queryOptions({
    queryKey: ['policies', project, 'impact', manifest],
    queryFn: ({ signal }) =>
      client.call(
        'atlas.impact',
        { project, manifest, limit: COMPARED } as Arguments<Operations['atlas.impact']>,
        { signal },
      ),
    placeholderData: keepPreviousData,
    enabled: enabled && manifest !== undefined,
    retry: false,
    staleTime: 60_000,
  });

export type Grant = Result<Operations['approvals.grants']>['items'][number];

/** Approvals that can still be used: a decision makes one, and a call uses it up. */
export const grantsQuery = (project: string) =>
  queryOptions({
    queryKey: ['policies', project, 'grants'],
    queryFn: ({ signal }) => client.call('approvals.grants', { project, limit: 100 }, { signal }),
  });

/** The values that tell one approved call from the next, by the id of its approval. */
export const grantedValuesQuery = (project: string) =>
  queryOptions({
    queryKey: ['policies', project, 'granted'],
    queryFn: async ({ signal }) => {
      const asked = { project, kind: 'carp_approval', state: 'applied', sort: 'newest', limit: 200 } as const;
      const { items } = await client.call('inbox.list', asked, { signal });
      return new Map(items.map((item) => [item.id, item]));
    },
  });
