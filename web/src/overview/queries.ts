import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';

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

export interface Digest {
  readonly packages: number;
  readonly decisions: readonly Decided[];
  readonly questions: number;
  /** Who deposited how much, the busiest first. */
  readonly actors: readonly (readonly [actor: string, count: number])[];
}

interface Decided {
  readonly project_id: string;
  readonly package_id: string;
  readonly by: { readonly id: string; readonly type: string };
  readonly at: string;
  readonly decision: string;
}

interface Summary {
  readonly recent_packages: number;
  readonly by_actor: Readonly<Record<string, number>>;
  readonly decisions: readonly Decided[];
}

/** The last day, over all projects that can be seen. */
export const sinceYesterdayQuery = queryOptions({
  queryKey: ['context', 'digest'],
  queryFn: async ({ signal }): Promise<Digest> => {
    const digest = await client.call('context.orchestrate', { window_days: 1, snippets: 0 }, { signal });
    const summary = digest.summary as unknown as Summary;
    return {
      packages: summary.recent_packages,
      decisions: summary.decisions,
      questions: digest.open_questions.length,
      actors: Object.entries(summary.by_actor).sort(([, a], [, b]) => b - a),
    };
  },
});
