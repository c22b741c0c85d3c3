import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import type { CrashLog } from '../crash-log.ts';
import { selectTaskOwner, type TaskRow, upsertTask } from './store.ts';

export type TaskOwners = ReturnType<typeof createTaskOwners>;

export function createTaskOwners(db: Database, log: CrashLog) {
  const recent = new Map<string, TaskRow>();
  const keyOf = (projectId: string, taskId: string) => `${projectId}\n${taskId}`;
  return {
    /** Whose task it is. What was learned a moment ago counts, stored or not. */
    async ownerOf(projectId: string, taskId: string): Promise<TaskRow | undefined> {
      const learned = recent.get(keyOf(projectId, taskId));
      return (await db.read((reader) => selectTaskOwner(reader, projectId, taskId))) ?? learned;
    },
    /** Holds from now on, over a kill too; the answer writes it into the store. */
    learned(task: TaskRow): (uow: UnitOfWork) => Promise<void> {
      const key = keyOf(task.project_id, task.task_id);
      recent.set(key, task);
      const stored = log.note({ task });
      return async (uow) => {
        await upsertTask(uow, task);
        uow.afterCommit(() => {
          stored();
          if (recent.get(key) === task) recent.delete(key);
        });
      };
    },
  };
}
