import { formatMicros } from '../../../kernel/instant.ts';
import { asText, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { PlainAnswer } from '../../../spine/operations/plain.ts';
import { errorResponse, RPC, resultResponse } from '../a2a/reply.ts';
import { readTaskState, type TaskState } from '../a2a/task-state.ts';
import { spell10 } from '../a2a/translate/task.ts';
import { selectTasksOfCaller } from '../tasks/store.ts';
import type { Exchange, ExchangeDeps } from './exchange.ts';
import type { ExchangeTrace } from './trace.ts';

const DEFAULT_PAGE = 50;
const LARGEST_PAGE = 100;

/**
 * A2A 0.3 cannot list tasks; the relay knows which it has seen. Answers those of this peer that the same caller opened,
 * the latest first, with what was last seen of each: no artifacts, no history.
 */
export async function listedTasks(
  deps: ExchangeDeps,
  exchange: Exchange,
  trace: ExchangeTrace,
): Promise<PlainAnswer> {
  const { params, peer, projectId, caller } = exchange;
  const end = () => deps.tracer.endTogether(projectId, trace.complete());
  const read = readQuery(params);
  if (typeof read === 'string') {
    trace.rpcError(RPC.invalidParams, read);
    end();
    return errorResponse(exchange, { code: RPC.invalidParams, message: read });
  }
  const { pageSize, offset, contextId, state } = read;
  const { rows, total } = await deps.db.read((reader) =>
    selectTasksOfCaller(reader, { projectId, peerId: peer.id, caller, contextId, state }, pageSize, offset),
  );
  end();
  const next = offset + rows.length;
  return resultResponse(exchange, {
    tasks: rows.map((row) => ({
      id: row.task_id,
      ...(row.context_id !== null && { contextId: row.context_id }),
      status: {
        state: spell10(row.state as TaskState),
        timestamp: formatMicros(row.updated_us),
      },
    })),
    nextPageToken: next < total ? String(next) : '',
    pageSize,
    totalSize: total,
  });
}

interface Query {
  readonly pageSize: number;
  readonly offset: number;
  readonly contextId: string | undefined;
  readonly state: TaskState | undefined;
}

/** Or what is wrong with it. */
function readQuery({ pageSize, pageToken, contextId, status }: LooseRecord): Query | string {
  const size = pageSize === undefined || pageSize === 0 ? DEFAULT_PAGE : Number(pageSize);
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE)
    return `\`pageSize\` must be from 1 to ${LARGEST_PAGE}.`;
  const offset = Number(pageToken || 0);
  if (!Number.isSafeInteger(offset) || offset < 0) return '`pageToken` is none that was given out.';
  const isAny = !status || status === 'TASK_STATE_UNSPECIFIED';
  const state = isAny ? undefined : readTaskState(status);
  if (!isAny && state === undefined) return '`status` is no state of a task.';
  return { pageSize: size, offset, contextId: asText(contextId) || undefined, state };
}
