import type { Risk } from './item.ts';
import type { ItemCount } from './list-store.ts';

/** What a list may be narrowed by; each is also counted. */
export interface Narrowing {
  readonly kind?: string | undefined;
  readonly risk?: Risk | undefined;
  readonly project?: string | undefined;
  /** Asked by or for this actor. */
  readonly agent?: string | undefined;
}

export interface Facets {
  /** How many fit all of them. */
  readonly total: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly byRisk: Readonly<Partial<Record<Risk, number>>>;
  readonly byAgent: Readonly<Record<string, number>>;
  readonly byProject: Readonly<Record<string, number>>;
}

type Dimension = keyof Narrowing;

const FITS: Readonly<Record<Dimension, (count: ItemCount, wanted: string) => boolean>> = {
  kind: ({ kind }, wanted) => kind === wanted,
  risk: ({ risk }, wanted) => risk === wanted,
  project: ({ projectId }, wanted) => projectId === wanted,
  agent: ({ agentId, askedBy }, wanted) => agentId === wanted || askedBy === wanted,
};
const DIMENSIONS = Object.keys(FITS) as Dimension[];

/** Each facet counts under all the others, so that its numbers say what choosing another value would show. */
export function facetsOf(counts: readonly ItemCount[], narrowing: Narrowing): Facets {
  const fitting = (without?: Dimension) =>
    counts.filter((count) =>
      DIMENSIONS.every((dimension) => {
        const wanted = dimension === without ? undefined : narrowing[dimension];
        return wanted === undefined || FITS[dimension](count, wanted);
      }),
    );
  return {
    total: fitting().reduce((sum, { count }) => sum + count, 0),
    byKind: sums(fitting('kind'), ({ kind }) => kind),
    byRisk: sums(fitting('risk'), ({ risk }) => risk),
    byAgent: sums(fitting('agent'), ({ agentId }) => agentId),
    byProject: sums(fitting('project'), ({ projectId }) => projectId),
  };
}

function sums<K extends string>(
  counts: readonly ItemCount[],
  nameOf: (count: ItemCount) => K,
): Record<K, number> {
  const found = new Map<K, number>();
  for (const count of counts) found.set(nameOf(count), (found.get(nameOf(count)) ?? 0) + count.count);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))) as Record<K, number>;
}
