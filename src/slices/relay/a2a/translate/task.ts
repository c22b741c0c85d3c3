import { asRecord, asRecords, isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import { isTerminal, readTaskState, type TaskState } from '../task-state.ts';
import { messageTo03, messageTo10, partTo03, partTo10 } from './message.ts';

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

/** Also the result of a send: a Task or a Message, which 1.0 wraps in a member that names it. */
export function eventTo10(event: LooseRecord): LooseRecord {
  const { kind, final: _, ...rest } = event;
  if (kind === 'message') return { message: messageTo10(event) };
  if (kind === 'status-update') return { statusUpdate: { ...rest, status: statusTo10(rest.status) } };
  if (kind === 'artifact-update')
    return { artifactUpdate: { ...rest, artifact: artifactTo10(rest.artifact) } };
  return { task: taskTo10(event) };
}

export function eventTo03(event: LooseRecord): LooseRecord {
  if (isRecord(event.message)) return messageTo03(event.message);
  if (isRecord(event.statusUpdate)) {
    const { status, ...rest } = event.statusUpdate;
    const state = readTaskState(isRecord(status) ? status.state : undefined);
    // 1.0 ends a stream by closing it; 0.3 says so in the last event, which is also that of an interruption.
    const final =
      state !== undefined && (isTerminal(state) || state === 'input-required' || state === 'auth-required');
    return present({ kind: 'status-update', ...rest, status: statusTo03(status), final });
  }
  if (isRecord(event.artifactUpdate)) {
    const { artifact, ...rest } = event.artifactUpdate;
    return present({ kind: 'artifact-update', ...rest, artifact: artifactTo03(artifact) });
  }
  return taskTo03(isRecord(event.task) ? event.task : event);
}
