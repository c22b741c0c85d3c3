import type { Captured } from './captured.ts';
import type { Reason } from './reasons.ts';

export interface Answered {
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly isOver: boolean;
}

/** The ids that stand, in a replay, for those of the original: nothing is said into a conversation that was real. */
export interface Counterparts {
  /** Of the message's context; made up where the message named one that the replay has not met. */
  contextOf(message: Captured): string | undefined;
  taskOf(message: Captured): { readonly taskId: string | undefined } | { readonly reason: Reason };
  /** A task that a message refers to. */
  referenceTo(taskId: string): string | undefined;
  learned(message: Captured, answered: Answered): void;
  readonly contexts: ReadonlyMap<string, string>;
}

export function createCounterparts(ids: () => string, opened: ReadonlySet<string>): Counterparts {
  const contexts = new Map<string, string>();
  /** As an agent named it itself, of one that is not the same with every agent. */
  const ofPeers = new Map<string, string>();
  const tasks = new Map<string, Answered>();
  const keyOf = ({ peerId }: Captured, id: string) => `${peerId}\n${id}`;

  return {
    contexts,
    contextOf(message) {
      const { contextId, namesContext } = message;
      if (contextId === undefined || !namesContext) return undefined;
      const known = ofPeers.get(keyOf(message, contextId)) ?? contexts.get(contextId);
      if (known !== undefined) return known;
      const made = ids();
      contexts.set(contextId, made);
      return made;
    },
    taskOf(message) {
      const { taskId, namesTask } = message;
      if (taskId === undefined) return { taskId: undefined };
      const counterpart = tasks.get(keyOf(message, taskId));
      // Where it was not kept, a task that came up before is one that was continued.
      if (!(namesTask ?? counterpart !== undefined)) return { taskId: undefined };
      if (!opened.has(keyOf(message, taskId))) return { reason: 'unknown_task' };
      if (counterpart?.taskId === undefined) return { reason: 'no_counterpart' };
      return counterpart.isOver ? { reason: 'task_over' } : { taskId: counterpart.taskId };
    },
    referenceTo(taskId) {
      for (const [key, answered] of tasks) if (key.endsWith(`\n${taskId}`)) return answered.taskId;
      return undefined;
    },
    learned(message, answered) {
      const { contextId, taskId } = message;
      if (contextId !== undefined && answered.contextId !== undefined) {
        if (!contexts.has(contextId)) contexts.set(contextId, answered.contextId);
        ofPeers.set(keyOf(message, contextId), answered.contextId);
      }
      if (taskId !== undefined) tasks.set(keyOf(message, taskId), answered);
    },
  };
}

/** The tasks that these messages opened, by agent and id. */
export function openedBy(messages: readonly Captured[]): ReadonlySet<string> {
  const opened = new Set<string>();
  for (const { peerId, taskId, namesTask } of messages)
    if (taskId !== undefined && namesTask !== true) opened.add(`${peerId}\n${taskId}`);
  return opened;
}
