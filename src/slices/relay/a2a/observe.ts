/** What a relay needs to know of a message or an event, in whichever version it is written. */

import { isObj, type Obj, objects, text } from './json.ts';
import { readTaskState, type TaskState } from './task-state.ts';

export interface Observed {
  readonly kind: 'task' | 'message' | 'status' | 'artifact';
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly state: TaskState | undefined;
  /** What this event brings; of a whole Task, all of its artifacts and its status message. */
  readonly said: readonly Said[];
}

/** A part, and the artifact or message that it is a piece of. */
export interface Said {
  readonly source: string;
  readonly part: Obj;
}

export interface ObservedMessage {
  readonly messageId: string | undefined;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly role: 'user' | 'agent';
  readonly parts: readonly Obj[];
  readonly metadata: Obj;
  readonly references: readonly string[];
}

export function observeMessage(params: unknown): ObservedMessage | undefined {
  const message = isObj(params) ? params.message : undefined;
  if (!isObj(message)) return undefined;
  return {
    messageId: text(message.messageId),
    contextId: text(message.contextId),
    taskId: text(message.taskId),
    role: message.role === 'agent' || message.role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: objects(message.parts),
    metadata: metadataOf(params as Obj, message),
    references: Array.isArray(message.referenceTaskIds)
      ? message.referenceTaskIds.filter((id): id is string => typeof id === 'string')
      : [],
  };
}

/** Of the request and of its message, which has the last word. */
function metadataOf(params: Obj, message: Obj): Obj {
  if (!isObj(message.metadata)) return isObj(params.metadata) ? params.metadata : NOTHING;
  return isObj(params.metadata) ? { ...params.metadata, ...message.metadata } : message.metadata;
}

const NOTHING: Obj = {};

/** The result of a send, a get, a cancel, or one event of a stream. */
export function observeResult(result: unknown): Observed | undefined {
  if (!isObj(result)) return undefined;
  if (isObj(result.task)) return observeTask(result.task);
  if (isObj(result.message) && result.kind === undefined && result.status === undefined)
    return observeReply(result.message);
  if (isObj(result.statusUpdate)) return observeStatus(result.statusUpdate);
  if (isObj(result.artifactUpdate)) return observeArtifact(result.artifactUpdate);
  if (result.kind === 'message') return observeReply(result);
  if (result.kind === 'status-update') return observeStatus(result);
  if (result.kind === 'artifact-update') return observeArtifact(result);
  if (result.kind === 'task' || (text(result.id) && isObj(result.status))) return observeTask(result);
  return undefined;
}

function observeTask(task: Obj): Observed {
  const status = isObj(task.status) ? task.status : {};
  return {
    kind: 'task',
    taskId: text(task.id),
    contextId: text(task.contextId),
    state: readTaskState(status.state),
    said: [...objects(task.artifacts).flatMap(saidInArtifact), ...saidInMessage(status.message)],
  };
}

function observeReply(message: Obj): Observed {
  return {
    kind: 'message',
    taskId: text(message.taskId),
    contextId: text(message.contextId),
    state: undefined,
    said: saidInMessage(message),
  };
}

function observeStatus(update: Obj): Observed {
  const status = isObj(update.status) ? update.status : {};
  return {
    kind: 'status',
    taskId: text(update.taskId),
    contextId: text(update.contextId),
    state: readTaskState(status.state),
    said: saidInMessage(status.message),
  };
}

function observeArtifact(update: Obj): Observed {
  return {
    kind: 'artifact',
    taskId: text(update.taskId),
    contextId: text(update.contextId),
    state: undefined,
    said: isObj(update.artifact) ? saidInArtifact(update.artifact) : [],
  };
}

function saidInArtifact({ artifactId, parts }: Obj): Said[] {
  return objects(parts).map((part) => ({ source: `artifact ${artifactId}`, part }));
}

function saidInMessage(message: unknown): Said[] {
  return objects(isObj(message) ? message.parts : []).map((part) => ({ source: 'message', part }));
}

export function textOf(parts: readonly Obj[]): string {
  return parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
}
