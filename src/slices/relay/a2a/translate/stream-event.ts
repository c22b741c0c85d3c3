import { isRecord, type LooseRecord, present } from '../../../../kernel/json/loose.ts';
import { isTerminal, readTaskState } from '../task-state.ts';
import { messageTo03, messageTo10 } from './message.ts';
import { artifactTo03, artifactTo10, statusTo03, statusTo10, taskTo03, taskTo10 } from './task.ts';

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
