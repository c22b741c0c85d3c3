import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import type { CrashLog } from '../crash-log.ts';
import { selectTaskOwner, type TaskRow, upsertTask } from './store.ts';

export interface TaskOwners {
  /** Whose task it is. What was learned a moment ago counts, stored or not. */
  ownerOf(projectId: string, taskId: string): Promise<TaskRow | undefined>;
  /** Holds from now on, and over a kill once the log is flushed; the answer writes it into the store. */
  learned(task: TaskRow): (uow: UnitOfWork) => Promise<void>;
}

export function createTaskOwners(db: Database, log: CrashLog): TaskOwners {
  const recent = new Map<string, TaskRow>();
  const keyOf = (projectId: string, taskId: string) => `${projectId}\n${taskId}`;
  return {
    async ownerOf(projectId, taskId) {
      const learned = recent.get(keyOf(projectId, taskId));
      return (await db.read((reader) => selectTaskOwner(reader, projectId, taskId))) ?? learned;
    },
    learned(task) {
      const key = keyOf(task.project_id, task.task_id);
      recent.set(key, task);
      const stored = log.note({ task });
      return async (uow) => {
        upsertTask(uow, task);
        uow.afterCommit(() => {
          stored();
          if (recent.get(key) === task) recent.delete(key);
        });
      };
    },
  };
}
