import type { Micros } from '../../../kernel/clock.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import { readHistogram, writeHistogram } from './histogram.ts';
import {
  addSums,
  type Rollup,
  type RollupKey,
  type RollupSums,
  rollupName,
  withoutNames,
} from './rollup-rules.ts';

interface RollupRow {
  project_id: string;
  grain_s: number;
  bucket_us: number;
  kind: string;
  agent: string;
  caller: string;
  node: string;
  model: string;
  tool: string;
  costed: number;
  spans: number;
  errors: number;
  duration_us: number;
  durations: string;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost_micros: number;
}

const SUMS = [
  'spans',
  'errors',
  'duration_us',
  'durations',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_micros',
] as const;
const KEYS = [
  'project_id',
  'grain_s',
  'bucket_us',
  'kind',
  'agent',
  'caller',
  'node',
  'model',
  'tool',
  'costed',
] as const;

const rollupRows = insertion({
  into: 'relay_rollups',
  columns: [...KEYS, ...SUMS],
  unless: `on conflict (${KEYS.join(', ')}) do update set ${SUMS.map((name) => `${name} = excluded.${name}`).join(', ')}`,
});

/** A bucket has no more kinds of sums than this, whatever names senders think of. */
const MOST_OF_A_BUCKET = 2_000;

/** Adds to the sums that are there. One unit at a time does this: the caller holds the lock. */
export async function addRollups(uow: UnitOfWork, rollups: readonly Rollup[]): Promise<void> {
  const buckets = groupBy(rollups, ({ key }) =>
    JSON.stringify([key.projectId, key.grainS, key.bucketMicros]),
  );
  for (const own of buckets.values()) await addToBucket(uow, own);
}

async function addToBucket(uow: UnitOfWork, added: readonly Rollup[]): Promise<void> {
  const { projectId, grainS, bucketMicros } = (added[0] as Rollup).key;
  const rows = await uow.all<RollupRow>(
    'select * from relay_rollups where project_id = ? and grain_s = ? and bucket_us = ?',
    [projectId, grainS, bucketMicros],
  );
  const known = new Map(rows.map(rollupOf).map((rollup) => [rollupName(rollup.key), rollup]));
  const changed = new Map<string, Rollup>();
  for (const { key, sums } of added) {
    const full = known.size >= MOST_OF_A_BUCKET && !known.has(rollupName(key));
    const under = full ? withoutNames(key) : key;
    const name = rollupName(under);
    const before = known.get(name);
    if (before) addSums(before.sums, sums);
    const after = before ?? { key: under, sums };
    known.set(name, after);
    changed.set(name, after);
  }
  await rollupRows.run(uow, [...changed.values()].map(valuesOf));
}

function valuesOf({ key, sums }: Rollup): SqlValue[] {
  return [
    key.projectId,
    key.grainS,
    key.bucketMicros,
    key.kind,
    key.agent,
    key.caller,
    key.node,
    key.model,
    key.tool,
    key.costed ? 1 : 0,
    sums.spans,
    sums.errors,
    sums.durationMicros,
    writeHistogram(sums.durations),
    sums.inputTokens,
    sums.outputTokens,
    sums.cacheReadTokens,
    sums.cacheWriteTokens,
    sums.costMicros,
  ];
}

function rollupOf(row: RollupRow): Rollup {
  const { key, sums } = writtenOf(row);
  return { key, sums: { ...sums, durations: readHistogram(sums.durations) } };
}

/** With its durations as they are written down. */
export interface WrittenRollup {
  readonly key: RollupKey;
  readonly sums: Omit<RollupSums, 'durations'> & { readonly durations: string };
}

function writtenOf(row: RollupRow): WrittenRollup {
  return {
    key: {
      projectId: row.project_id,
      grainS: row.grain_s,
      bucketMicros: row.bucket_us,
      kind: row.kind,
      agent: row.agent,
      caller: row.caller,
      node: row.node,
      model: row.model,
      tool: row.tool,
      costed: row.costed === 1,
    },
    sums: {
      spans: row.spans,
      errors: row.errors,
      durationMicros: row.duration_us,
      durations: row.durations,
      inputTokens: row.input_tokens,
      outputTokens: row.output_tokens,
      cacheReadTokens: row.cache_read_tokens,
      cacheWriteTokens: row.cache_write_tokens,
      costMicros: row.cost_micros,
    },
  };
}

export interface RollupFilter {
  readonly grainS: number;
  readonly from: Micros;
  readonly to: Micros;
  readonly equal: Partial<Record<'kind' | 'agent' | 'node' | 'model' | 'tool', string | undefined>>;
  /** The dimension that a row must have to be counted. */
  readonly having?: 'agent' | 'caller' | 'node' | 'model' | 'tool' | undefined;
}

/** The sums of all buckets that begin in [from, to), `most` at the most. */
export async function selectRollups(
  reader: Reader,
  projectId: string,
  { grainS, from, to, equal, having }: RollupFilter,
  most: number,
): Promise<WrittenRollup[]> {
  const wheres = ['project_id = ?', 'grain_s = ?', 'bucket_us >= ?', 'bucket_us < ?'];
  const params: SqlValue[] = [projectId, grainS, from, to];
  for (const [name, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    wheres.push(`${name} = ?`);
    params.push(value);
  }
  if (having !== undefined) wheres.push(`${having} <> ''`);
  const rows = await reader.all<RollupRow>(
    `select * from relay_rollups where ${wheres.join(' and ')} order by bucket_us desc limit ?`,
    [...params, most],
  );
  return rows.map(writtenOf);
}

export async function pruneRollups(
  uow: UnitOfWork,
  grainS: RollupKey['grainS'],
  before: Micros,
  atMost: number,
): Promise<number> {
  const old = await uow.all<{ project_id: string; bucket_us: number }>(
    'select distinct project_id, bucket_us from relay_rollups where grain_s = ? and bucket_us < ? limit ?',
    [grainS, before, atMost],
  );
  for (const { project_id, bucket_us } of old)
    await uow.run('delete from relay_rollups where project_id = ? and grain_s = ? and bucket_us = ?', [
      project_id,
      grainS,
      bucket_us,
    ]);
  return old.length;
}
