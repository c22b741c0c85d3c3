import type { UnitOfWork } from '../../storage/database.ts';
import type { EventNumber } from '../events/event-store.ts';

/**
 * Gives events their numbers: `leaf` counts all events of the store from 0, `project_seq` those of one project
 * from 1, both without gaps. The counters are rows of the unit, so that a unit that is rolled back takes its
 * numbers with it. Only safe where no other unit can number at the same time.
 */
export async function assignNumbers(uow: UnitOfWork, projectIds: readonly string[]): Promise<EventNumber[]> {
  const counts = new Map<string, number>();
  for (const projectId of projectIds) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);

  const head = await uow.get<{ next_leaf: number }>(
    'update journal_head set next_leaf = next_leaf + ? where id = 1 returning next_leaf',
    [projectIds.length],
  );
  let leaf = (head?.next_leaf ?? 0) - projectIds.length;

  const nextInProject = new Map<string, number>();
  for (const [projectId, count] of counts) {
    const row = await uow.get<{ next_seq: number }>(
      `insert into journal_projects (project_id, next_seq, oldest_seq) values (?, 1 + ?, 1)
       on conflict (project_id) do update set next_seq = journal_projects.next_seq + excluded.next_seq - 1
       returning next_seq`,
      [projectId, count],
    );
    nextInProject.set(projectId, (row?.next_seq ?? 0) - count);
  }

  return projectIds.map((projectId) => {
    const projectSeq = nextInProject.get(projectId) ?? 0;
    nextInProject.set(projectId, projectSeq + 1);
    return { leaf: leaf++, projectSeq };
  });
}
