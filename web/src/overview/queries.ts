import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { list, number, record, shape, text } from '../api/shape.ts';

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
  /** Some of the latest; how many there were, nobody counts. */
  readonly decisions: readonly Decided[];
  readonly questions: number;
  /** Who deposited how much, the busiest first. */
  readonly actors: readonly (readonly [actor: string, count: number])[];
}

const readDecided = shape({
  project_id: text,
  package_id: text,
  by: shape({ id: text, type: text }),
  at: text,
  decision: text,
});
type Decided = ReturnType<typeof readDecided>;

const readSummary = shape({ recent_packages: number, by_actor: record, decisions: list(readDecided) });

/** The last day, over all projects that can be seen. */
export const sinceYesterdayQuery = queryOptions({
  queryKey: ['context', 'digest'],
  queryFn: async ({ signal }): Promise<Digest> => {
    const digest = await client.call('context.orchestrate', { window_days: 1, snippets: 0 }, { signal });
    const summary = readSummary(digest.summary);
    return {
      packages: summary.recent_packages,
      decisions: summary.decisions,
      questions: digest.project_counts.reduce((sum, each) => sum + number(each.open_questions), 0),
      actors: Object.entries(summary.by_actor)
        .map(([actor, packages]) => [actor, number(packages)] as const)
        .sort(([, a], [, b]) => b - a),
    };
  },
});
