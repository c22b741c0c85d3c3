import type { Micros } from '../../../kernel/clock.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import type { GraphView } from '../schema.ts';
import { addWritten, classOf, percentileOf } from '../usage/histogram.ts';
import { addCounts, bucketOf, DAY_S, emptySums, type RollupSums } from '../usage/rollup-rules.ts';
import { selectRollups, type WrittenRollup } from '../usage/rollup-store.ts';
import { rounded } from '../usage/stats.ts';
import { selectSteps } from './store.ts';

const MOST_STEPS = 20_000;
const MOST_ROLLUPS = 60_000;

/** One span, or the sums of some: from whom to whom. `from` is empty where a burst began. */
interface Handover {
  readonly from: string;
  readonly to: string;
  readonly sums: WrittenRollup['sums'];
}

/** Of the whole traces of a session, from their spans. */
export async function graphOfSession(
  reader: Reader,
  projectId: string,
  sessionId: string,
): Promise<GraphView> {
  const steps = await selectSteps(reader, projectId, sessionId, MOST_STEPS + 1);
  const handovers = steps.slice(0, MOST_STEPS).map((step) => ({
    from: step.node_parent_id ?? '',
    to: step.node_id,
    sums: {
      ...emptySums(),
      spans: 1,
      errors: step.status === 2 ? 1 : 0,
      durationMicros: step.end_us - step.start_us,
      durations: `${classOf(step.end_us - step.start_us)}:1`,
    },
  }));
  return graphOf(handovers, steps.length <= MOST_STEPS);
}

/** Of everything between two instants, from the sums of its days. */
export async function graphOfTime(
  reader: Reader,
  projectId: string,
  from: Micros,
  to: Micros,
): Promise<GraphView> {
  const span = { grainS: DAY_S, from: bucketOf(from, DAY_S), to, equal: {}, having: 'node' as const };
  const rollups = await selectRollups(reader, projectId, span, MOST_ROLLUPS);
  const handovers = rollups.map(({ key, sums }) => ({ from: key.caller, to: key.node, sums }));
  return graphOf(handovers, rollups.length < MOST_ROLLUPS);
}

function graphOf(handovers: readonly Handover[], complete: boolean): GraphView {
  const nodes = new Map<string, { id: string; spans: number; errors: number }>();
  const edges = new Map<string, { from: string; to: string; sums: RollupSums }>();
  const nodeOf = (id: string) => {
    const node = nodes.get(id) ?? { id, spans: 0, errors: 0 };
    nodes.set(id, node);
    return node;
  };
  for (const { from, to, sums } of handovers) {
    const node = nodeOf(to);
    node.spans += sums.spans;
    node.errors += sums.errors;
    if (from === '') continue;
    nodeOf(from);
    const key = JSON.stringify([to, from]);
    const edge = edges.get(key) ?? { from, to, sums: emptySums() };
    edges.set(key, edge);
    addCounts(edge.sums, sums);
    addWritten(edge.sums.durations, sums.durations);
  }
  return {
    nodes: [...nodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    edges: [...edges.values()]
      .sort((a, b) => compare(a.to, b.to) || compare(a.from, b.from))
      .map(({ from, to, sums }) => ({
        from,
        to,
        spans: sums.spans,
        errors: sums.errors,
        mean_ms: rounded(sums.durationMicros / sums.spans / 1000),
        p95_ms: rounded(percentileOf(sums.durations, 0.95) / 1000),
      })),
    complete,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
