import { asRecord, asRecords, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import { readTaskState, type TaskState } from '../task-state.ts';
import { messageTo03, messageTo10 } from './message.ts';
import { partTo03, partTo10 } from './part.ts';

function stateTo10(state: unknown): string {
  const read = readTaskState(state);
  return read ? spell10(read) : 'TASK_STATE_UNSPECIFIED';
}

export function spell10(state: TaskState): string {
  return `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`;
}

function stateTo03(state: unknown): string {
  return readTaskState(state) ?? 'unknown';
}

export function statusTo10(status: unknown): LooseRecord {
  const { state, message, ...rest } = asRecord(status);
  return present({
    ...rest,
    state: stateTo10(state),
    message: isRecord(message) ? messageTo10(message) : undefined,
  });
}

export function statusTo03(status: unknown): LooseRecord {
  const { state, message, ...rest } = asRecord(status);
  return present({
    ...rest,
    state: stateTo03(state),
    message: isRecord(message) ? messageTo03(message) : undefined,
  });
}

export function artifactTo10(artifact: unknown): LooseRecord {
  if (!isRecord(artifact)) return {};
  return present({ ...artifact, parts: asRecords(artifact.parts).map(partTo10) });
}

export function artifactTo03(artifact: unknown): LooseRecord {
  if (!isRecord(artifact)) return {};
  return present({ ...artifact, parts: asRecords(artifact.parts).map(partTo03) });
}

export function taskTo10(task: LooseRecord): LooseRecord {
  const { kind: _, status, artifacts, history, ...rest } = task;
  return present({
    ...rest,
    status: statusTo10(status),
    artifacts: artifacts === undefined ? undefined : asRecords(artifacts).map(artifactTo10),
    history: history === undefined ? undefined : asRecords(history).map(messageTo10),
  });
}

export function taskTo03(task: LooseRecord): LooseRecord {
  const { status, artifacts, history, ...rest } = task;
  return present({
    kind: 'task',
    ...rest,
    status: statusTo03(status),
    artifacts: artifacts === undefined ? undefined : asRecords(artifacts).map(artifactTo03),
    history: history === undefined ? undefined : asRecords(history).map(messageTo03),
  });
}
