import type { Micros } from '../../../kernel/clock.ts';
import type { PayloadCodec } from '../../../spine/journal/events/payload-codec.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { callOf } from '../sealed.ts';
import { callLine } from './recorded-call.ts';
import type { RecordedCall } from './schema.ts';

export async function insertCall(
  uow: UnitOfWork,
  payloads: PayloadCodec,
  projectId: string,
  call: RecordedCall,
  decided: Micros,
): Promise<void> {
  await uow.run(
    `insert into governance_calls (call_id, project_id, session_id, execution_id, decided_us, line)
     values (?, ?, ?, ?, ?, ?)`,
    [
      call.call_id,
      projectId,
      call.session_id,
      call.execution_id,
      decided,
      payloads.seal(callLine(call), callOf(call.call_id)),
    ],
  );
}

/** A stretch of a project's time: from inclusive, to exclusive. */
export interface Stretch {
  readonly projectId: string;
  readonly from: Micros;
  readonly to: Micros;
}

/** A recorded call with how its execution ended, where it failed: what it was charged may have been given back then. */
export interface CallRow {
  readonly callId: string;
  readonly decided: Micros;
  /** Sealed. */
  readonly line: string;
  readonly failed: Micros | null;
}

export interface After {
  readonly decided: Micros;
  readonly id: string;
}

/** In order, after a place. */
export async function selectCalls(
  reader: Reader,
  { projectId, from, to }: Stretch,
  after: After | undefined,
  limit: number,
): Promise<CallRow[]> {
  const start = after ?? { decided: from - 1, id: '' };
  const rows = await reader.all<{
    call_id: string;
    decided_us: number;
    line: string;
    failed_us: number | null;
  }>(
    `select c.call_id, c.decided_us, c.line, e.finished_us as failed_us from governance_calls as c
     left join governance_executions as e on e.execution_id = c.execution_id and e.state = 'error'
     where c.project_id = ? and c.decided_us >= ? and c.decided_us < ?
       and (c.decided_us > ? or (c.decided_us = ? and c.call_id > ?))
     order by c.decided_us, c.call_id limit ?`,
    [projectId, from, to, start.decided, start.decided, start.id, limit],
  );
  return rows.map((row) => ({
    callId: row.call_id,
    decided: row.decided_us,
    line: row.line,
    failed: row.failed_us,
  }));
}

export async function selectSessionCalls(
  reader: Reader,
  sessionId: string,
): Promise<Omit<CallRow, 'failed'>[]> {
  const rows = await reader.all<{ call_id: string; decided_us: number; line: string }>(
    'select call_id, decided_us, line from governance_calls where session_id = ? order by decided_us, call_id',
    [sessionId],
  );
  return rows.map((row) => ({ callId: row.call_id, decided: row.decided_us, line: row.line }));
}

export async function countCalls(reader: Reader, { projectId, from, to }: Stretch): Promise<number> {
  const row = await reader.get<{ n: number }>(
    'select count(*) as n from governance_calls where project_id = ? and decided_us >= ? and decided_us < ?',
    [projectId, from, to],
  );
  return row?.n ?? 0;
}
