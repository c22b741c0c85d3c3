/** What a relay needs to know of a message or an event, in whichever version it is written. */

import { asRecord, asRecords, asText, isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { readTaskState, type TaskState } from './task-state.ts';

export interface Observed {
  readonly kind: 'task' | 'message' | 'status' | 'artifact';
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly state: TaskState | undefined;
  /** What this event brings; of a whole Task, all of its artifacts and its status message. */
  readonly parts: readonly ObservedPart[];
}

/** A part, and the artifact or message that it is a piece of. */
export interface ObservedPart {
  readonly source: string;
  readonly part: LooseRecord;
}

export interface ObservedMessage {
  readonly messageId: string | undefined;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly role: 'user' | 'agent';
  readonly parts: readonly LooseRecord[];
  readonly metadata: LooseRecord;
  readonly references: readonly string[];
  /** The whole request, as its binding spells it. */
  readonly request: LooseRecord;
}

export function observeMessage(params: unknown): ObservedMessage | undefined {
  const message = isRecord(params) ? params.message : undefined;
  if (!isRecord(message)) return undefined;
  return {
    messageId: asText(message.messageId),
    contextId: asText(message.contextId),
    taskId: asText(message.taskId),
    role: message.role === 'agent' || message.role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: asRecords(message.parts),
    metadata: metadataOf(params as LooseRecord, message),
    references: Array.isArray(message.referenceTaskIds)
      ? message.referenceTaskIds.filter((id): id is string => typeof id === 'string')
      : [],
    request: params as LooseRecord,
  };
}

/** Of the request and of its message, which has the last word. */
function metadataOf(params: LooseRecord, message: LooseRecord): LooseRecord {
  if (!isRecord(message.metadata)) return isRecord(params.metadata) ? params.metadata : NOTHING;
  return isRecord(params.metadata) ? { ...params.metadata, ...message.metadata } : message.metadata;
}

const NOTHING: LooseRecord = {};

/** The result of a send, a get, a cancel, or one event of a stream. */
export function observeResult(result: unknown): Observed | undefined {
  if (!isRecord(result)) return undefined;
  if (isRecord(result.task)) return observeTask(result.task);
  if (isRecord(result.message) && result.kind === undefined && result.status === undefined)
    return observeReply(result.message);
  if (isRecord(result.statusUpdate)) return observeStatus(result.statusUpdate);
  if (isRecord(result.artifactUpdate)) return observeArtifact(result.artifactUpdate);
  if (result.kind === 'message') return observeReply(result);
  if (result.kind === 'status-update') return observeStatus(result);
  if (result.kind === 'artifact-update') return observeArtifact(result);
  if (result.kind === 'task' || (asText(result.id) && isRecord(result.status))) return observeTask(result);
  return undefined;
}

function observeTask(task: LooseRecord): Observed {
  const status = asRecord(task.status);
  return {
    kind: 'task',
    taskId: asText(task.id),
    contextId: asText(task.contextId),
    state: readTaskState(status.state),
    parts: [...asRecords(task.artifacts).flatMap(partsOfArtifact), ...partsOfMessage(status.message)],
  };
}

function observeReply(message: LooseRecord): Observed {
  return {
    kind: 'message',
    taskId: asText(message.taskId),
    contextId: asText(message.contextId),
    state: undefined,
    parts: partsOfMessage(message),
  };
}

function observeStatus(update: LooseRecord): Observed {
  const status = asRecord(update.status);
  return {
    kind: 'status',
    taskId: asText(update.taskId),
    contextId: asText(update.contextId),
    state: readTaskState(status.state),
    parts: partsOfMessage(status.message),
  };
}

function observeArtifact(update: LooseRecord): Observed {
  return {
    kind: 'artifact',
    taskId: asText(update.taskId),
    contextId: asText(update.contextId),
    state: undefined,
    parts: isRecord(update.artifact) ? partsOfArtifact(update.artifact) : [],
  };
}

function partsOfArtifact({ artifactId, parts }: LooseRecord): ObservedPart[] {
  return asRecords(parts).map((part) => ({ source: `artifact ${artifactId}`, part }));
}

/** The source of a part that belongs to no artifact. */
export const MESSAGE = 'message';

function partsOfMessage(message: unknown): ObservedPart[] {
  return asRecords(isRecord(message) ? message.parts : []).map((part) => ({ source: MESSAGE, part }));
}

export function textOf(parts: readonly LooseRecord[]): string {
  return parts.map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
}
