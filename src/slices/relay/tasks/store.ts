import type { Micros } from '../../../kernel/clock.ts';
import type { Gathering, Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { insertion } from '../../../spine/storage/insertion.ts';
import { withinProjects } from '../spans/store.ts';

/** Which peer owns a task, and what was last seen of it. */
export interface TaskRow {
  readonly project_id: string;
  readonly task_id: string;
  readonly peer_id: string;
  readonly context_id: string | null;
  readonly state: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly caller: string;
  readonly opened_us: Micros;
  readonly updated_us: Micros;
}

const COLUMNS = [
  'project_id',
  'task_id',
  'peer_id',
  'context_id',
  'state',
  'trace_id',
  'span_id',
  'caller',
  'opened_us',
  'updated_us',
] as const;

const CHANGED = `on conflict (project_id, task_id, peer_id) do update set state = excluded.state,
  updated_us = excluded.updated_us, context_id = coalesce(excluded.context_id, relay_tasks.context_id)`;

const rows = insertion({ into: 'relay_tasks', columns: COLUMNS, unless: CHANGED });
const lateRows = insertion({
  into: 'relay_tasks',
  columns: COLUMNS,
  unless: `${CHANGED} where excluded.updated_us > relay_tasks.updated_us`,
});

const valuesOf = (task: TaskRow) => COLUMNS.map((column) => task[column]);

/** With the commit, together with those of other exchanges. */
export function upsertTask(uow: UnitOfWork, task: TaskRow): void {
  uow.gather(learned, task);
}

const learned: Gathering<TaskRow> = {
  apply: (uow, tasks) => rows.run(uow, eachOnce(tasks).map(valuesOf)),
};

/** One statement cannot change a row twice: what was learned of a task in turn is put together first. */
function eachOnce(tasks: readonly TaskRow[]): TaskRow[] {
  const byKey = new Map<string, TaskRow>();
  for (const task of tasks) {
    const key = JSON.stringify([task.project_id, task.task_id, task.peer_id]);
    const before = byKey.get(key);
    const { state, updated_us, context_id } = task;
    byKey.set(
      key,
      before ? { ...before, state, updated_us, context_id: context_id ?? before.context_id } : task,
    );
  }
  return [...byKey.values()];
}

/** For what is learned late: a row that was changed since knows more. */
export function upsertTaskUnlessNewer(uow: UnitOfWork, task: TaskRow): Promise<void> {
  return lateRows.run(uow, [valuesOf(task)]);
}

/** The first peer that was seen with the task owns it: a later one that claims the same id does not get its calls. */
export function selectTaskOwner(
  reader: Reader,
  projectId: string,
  taskId: string,
): Promise<TaskRow | undefined> {
  return reader.get<TaskRow>(
    'select * from relay_tasks where project_id = ? and task_id = ? order by opened_us limit 1',
    [projectId, taskId],
  );
}

/** The first of these projects that has seen the task. */
export async function selectTaskProject(
  reader: Reader,
  projects: readonly string[] | 'all',
  taskId: string,
): Promise<string | undefined> {
  const { where, params } = withinProjects(projects);
  const row = await reader.get<{ project_id: string }>(
    `select project_id from relay_tasks where task_id = ?${where} order by project_id limit 1`,
    [taskId, ...params],
  );
  return row?.project_id;
}

export function selectTasks(
  reader: Reader,
  projectId: string,
  { limit, peerId }: { readonly limit: number; readonly peerId?: string | undefined },
): Promise<TaskRow[]> {
  return reader.all<TaskRow>(
    `select * from relay_tasks where project_id = ? ${peerId === undefined ? '' : 'and peer_id = ?'}
      order by updated_us desc, task_id limit ?`,
    peerId === undefined ? [projectId, limit] : [projectId, peerId, limit],
  );
}

export interface CallersTasks {
  readonly projectId: string;
  readonly peerId: string;
  readonly caller: string;
  readonly contextId: string | undefined;
  readonly state: string | undefined;
}

/** A page of what one caller opened with one peer, the latest first, and how many there are. */
export async function selectTasksOfCaller(
  reader: Reader,
  { projectId, peerId, caller, contextId, state }: CallersTasks,
  limit: number,
  offset: number,
): Promise<{ readonly rows: TaskRow[]; readonly total: number }> {
  const given = [
    ['project_id', projectId],
    ['peer_id', peerId],
    ['caller', caller],
    ['context_id', contextId],
    ['state', state],
  ] as const;
  const known = given.filter(([, value]) => value !== undefined);
  const where = known.map(([column]) => `${column} = ?`).join(' and ');
  const params = known.map(([, value]) => value as string);
  const rows = await reader.all<TaskRow>(
    `select * from relay_tasks where ${where} order by updated_us desc, task_id limit ? offset ?`,
    [...params, limit, offset],
  );
  const count = await reader.get<{ n: number }>(
    `select count(*) as n from relay_tasks where ${where}`,
    params,
  );
  return { rows, total: Number(count?.n ?? 0) };
}

export async function pruneTasks(uow: UnitOfWork, before: Micros): Promise<number> {
  return uow.run('delete from relay_tasks where updated_us < ?', [before]);
}
