import type { Micros } from '../../../../kernel/clock.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import {
  asList,
  asStrings,
  isNonBlank,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import { done, type Outcome, refuse } from '../../outcome.ts';
import { containedPath } from '../../path-rules.ts';
import type { BarrierStatus, Barriers, CoordinatorConfig, CoordinatorState, Projection } from '../state.ts';
import { evaluateBarrier } from './barriers.ts';

export interface BarrierEffect {
  readonly barrier_id: string;
  readonly previous_status: BarrierStatus;
  readonly new_status: BarrierStatus;
}

export interface ProjectionInput {
  readonly state: Pick<CoordinatorState, 'super_run_id' | 'repo_runs'>;
  readonly config: CoordinatorConfig;
  readonly barriers: Barriers;
  readonly history: readonly LooseRecord[];
  readonly repoId: string;
  readonly workstreamId: string;
  readonly turn: LooseRecord;
  /** Eight hexadecimal digits that make the reference unique. */
  readonly suffix: string;
  readonly now: Micros;
}

export interface Projected {
  readonly projection: Projection;
  readonly barriers: Barriers;
  readonly effects: readonly BarrierEffect[];
  /** Repositories whose dispatched context this acceptance has made stale. */
  readonly invalidations: readonly { readonly repo_id: string; readonly workstream_id: string }[];
}

/** Records a repository's accepted turn with the coordinator and moves the barriers that waited for it. */
export function projectAcceptance(input: ProjectionInput): Outcome<Projected> {
  const { config, repoId, workstreamId, turn } = input;
  const stream = member(config.workstreams, workstreamId);
  if (member(config.repos, repoId) === undefined || stream === undefined || !isNonBlank(turn.turn_id)) {
    const what =
      stream === undefined
        ? `workstream "${workstreamId}"`
        : !isNonBlank(turn.turn_id)
          ? 'turn id'
          : `repository "${repoId}"`;
    return failed(`There is no such ${what}.`);
  }
  if (!stream.repos.includes(repoId))
    return failed(`Repository "${repoId}" takes no part in workstream "${workstreamId}".`);
  const files = asStrings(turn.files_changed);
  const stray = files.filter((path) => containedPath(path) === undefined);
  if (stray.length > 0) {
    return refuse({
      type: 'cross_repo_write_violation',
      rule: 'coordinator.isolation',
      field: 'files_changed',
      message: `A turn of "${repoId}" names files outside its repository: ${stray.join(', ')}.`,
      next: 'Change the other repository in a turn of its own.',
      details: { paths: stray },
    });
  }
  const projection: Projection = {
    type: 'acceptance_projection',
    timestamp: formatMillis(input.now),
    super_run_id: input.state.super_run_id,
    projection_ref: `proj_${workstreamId}_${repoId}_${input.suffix}`,
    workstream_id: workstreamId,
    repo_id: repoId,
    repo_run_id: member(input.state.repo_runs, repoId)?.run_id ?? null,
    repo_turn_id: turn.turn_id,
    summary: turn.summary ?? '',
    files_changed: files,
    decisions: asList(turn.decisions),
    verification: turn.verification ?? null,
    ...(isString(turn.phase) && turn.phase !== stream.phase ? { counted: false } : {}),
  };
  return done({
    projection,
    ...moveBarriers(input, projection, stream.entry_repo),
    invalidations: staleDispatches(input),
  });
}

function moveBarriers(input: ProjectionInput, projection: Projection, entryRepo: string) {
  const projections = [...input.history, projection].filter(isCounted);
  const effects: BarrierEffect[] = [];
  const barriers = Object.fromEntries(
    Object.entries(input.barriers).map(([id, barrier]) => {
      if (barrier.workstream_id !== input.workstreamId) return [id, barrier];
      const next = evaluateBarrier(barrier, entryRepo, projections);
      if (next.status !== barrier.status) {
        effects.push({ barrier_id: id, previous_status: barrier.status, new_status: next.status });
      }
      return [id, next];
    }),
  );
  return { barriers, effects };
}

/** Dispatches of siblings and of later workstreams whose turn has not come back yet. */
function staleDispatches(input: ProjectionInput): Projected['invalidations'] {
  const affected = new Set(
    Object.entries(input.config.workstreams)
      .filter(([id, stream]) => id === input.workstreamId || stream.depends_on.includes(input.workstreamId))
      .map(([id]) => id),
  );
  const open = new Map<string, { repo_id: string; workstream_id: string }>();
  for (const row of input.history) {
    const key = `${String(row.workstream_id)}/${String(row.repo_id)}`;
    if (
      row.type === 'turn_dispatched' &&
      affected.has(String(row.workstream_id)) &&
      row.repo_id !== input.repoId
    ) {
      open.set(key, { repo_id: String(row.repo_id), workstream_id: String(row.workstream_id) });
    }
    if (row.type === 'acceptance_projection') open.delete(key);
  }
  return [...open.values()];
}

export function isProjection(row: LooseRecord): row is Projection {
  return row.type === 'acceptance_projection';
}

/** A turn of another phase is recorded, but it is not the work that its workstream waits for. */
export function isCounted(row: LooseRecord): row is Projection {
  return isProjection(row) && row.counted !== false;
}

function failed(message: string) {
  return refuse({
    type: 'projection_failed',
    rule: 'coordinator.projection',
    message,
    next: 'See the declared repositories and workstreams: baton multi status',
  });
}
