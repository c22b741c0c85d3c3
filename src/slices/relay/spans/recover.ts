import { hostname } from 'node:os';
import type { Clock, Micros } from '../../../kernel/clock.ts';
import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import { type CrashLog, type LeftLog, readLogs } from '../crash-log.ts';
import { type OtlpSpan, toKeyValues } from '../otlp/model.ts';
import { spoolSpans } from '../otlp/store.ts';
import { insertTaskOnce } from '../tasks/store.ts';
import { ATTR } from './attribute-registry.ts';
import { nanos, SPAN_STATUS } from './live-span.ts';
import {
  deleteInstance,
  deleteOpenSpan,
  ensureOrigin,
  type Instance,
  insertSpans,
  type OpenSpan,
  type Origin,
  selectInstances,
  selectOpenSpansOf,
  touchInstance,
} from './store.ts';

export interface RecoveryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly origin: Origin;
  readonly dataDir: string;
  readonly log: CrashLog;
  readonly spooled: () => boolean;
}

const SILENT_MICROS = 15e6;
const BATCH = 200;

export interface Recovery {
  /** Says in the same unit that this process lives: before the first span of it that can be left open. */
  announce(uow: UnitOfWork): Promise<void>;
  /** Says that this process lives, and closes what those that do not left open. Answers how many spans that were. */
  run(): Promise<number>;
  /** This process ends in order: nothing of it is to be recovered. */
  leave(): Promise<void>;
}

export function createRecovery(deps: RecoveryDeps): Recovery {
  const { db, clock, instanceId } = deps;
  const self = { id: instanceId, host: hostname(), pid: process.pid };
  let touched = Number.NEGATIVE_INFINITY;

  async function closeAll(uow: UnitOfWork, open: readonly OpenSpan[], seen: Micros): Promise<number> {
    if (open.length > 0) await ensureOrigin(uow, deps.origin);
    let recovered = 0;
    for (const { projectId, span } of open) {
      const closed = closedBy(span, Math.max(seen, Number(BigInt(span.startTimeUnixNano) / 1000n)));
      const seqs = await insertSpans(uow, [
        { projectId, originId: deps.origin.id, span: closed, storedMicros: clock.now() },
      ]);
      await deleteOpenSpan(uow, span.spanId);
      recovered += seqs.length;
      if (deps.spooled()) await spoolSpans(uow, seqs);
    }
    return recovered;
  }

  async function recoverFrom(instance: Instance): Promise<number> {
    return db.write(async (uow) => {
      const open = await selectOpenSpansOf(uow, instance.instance_id, BATCH);
      if (open.length < BATCH) await deleteInstance(uow, instance.instance_id);
      return closeAll(uow, open, instance.seen_us);
    });
  }

  /** What a killed process had seen and not stored yet. What it had stored is left as it is. */
  async function recoverLog({ entries, seen, remove }: LeftLog): Promise<number> {
    const recovered = await db.write(async (uow) => {
      for (const entry of entries) if ('task' in entry) await insertTaskOnce(uow, entry.task);
      return closeAll(
        uow,
        entries.filter((entry) => 'span' in entry),
        seen,
      );
    });
    await remove();
    return recovered;
  }

  return {
    async announce(uow) {
      const now = clock.now();
      if (now - touched <= SILENT_MICROS / 3) return;
      await touchInstance(uow, self, now);
      uow.afterCommit(() => {
        touched = now;
      });
    },
    async run() {
      const now = clock.now();
      if (now - touched > SILENT_MICROS / 3) {
        await db.write((uow) => touchInstance(uow, self, now));
        touched = now;
      }
      deps.log.touch(now);
      const instances = await db.read(selectInstances);
      let recovered = 0;
      for (const log of await readLogs(deps.dataDir, instanceId)) {
        if (isGone({ ...log.owner, seen_us: log.seen }, self.host, now)) recovered += await recoverLog(log);
      }
      for (const instance of instances) {
        if (instance.instance_id !== instanceId && isGone(instance, self.host, now)) {
          recovered += await recoverFrom(instance);
        }
      }
      return recovered;
    },
    leave: () => db.write((uow) => deleteInstance(uow, instanceId)),
  };
}

function isGone(instance: Omit<Instance, 'instance_id'>, host: string, now: number): boolean {
  if (instance.host !== host) return now - instance.seen_us > SILENT_MICROS;
  if (instance.pid === process.pid) return now - instance.seen_us > SILENT_MICROS;
  try {
    process.kill(instance.pid, 0);
    return now - instance.seen_us > 4 * SILENT_MICROS;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function closedBy(span: OtlpSpan, lastSeen: number): OtlpSpan {
  return {
    ...span,
    endTimeUnixNano: nanos(lastSeen),
    attributes: [
      ...(span.attributes ?? []),
      ...toKeyValues({ [ATTR.recovered]: true, [ATTR.failureClass]: 'recovered' }),
    ],
    status: { code: SPAN_STATUS.error, message: 'The relay ended while this was open.' },
  };
}
