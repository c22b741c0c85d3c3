import { hostname } from 'node:os';
import type { Clock, Micros } from '../../../kernel/clock.ts';
import { BatonError } from '../../../kernel/error.ts';
import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import { type CrashLog, type EndedEntry, type LeftLog, type OpenedEntry, readLogs } from '../crash-log.ts';
import { type OtlpSpan, type PlainAttributes, toKeyValues } from '../otlp/model.ts';
import { spoolSpans } from '../otlp/store.ts';
import type { DepositHandoff } from '../ports.ts';
import type { EventRecorder } from '../record-event.ts';
import { upsertTaskUnlessNewer } from '../tasks/store.ts';
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
  selectOpenSpan,
  selectOpenSpansOf,
  selectSpanSeqs,
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
  readonly recordEvent: EventRecorder;
  readonly deposit: DepositHandoff | undefined;
  readonly onError: (error: unknown, what: string) => void;
}

const SILENT_MICROS = 15e6;
const BATCH = 200;
/** Small units: the messages of a relay that has just started do not wait for all of what the last one left. */
const STEPS = 25;

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

  /** Answers whether the span was new: one that the store has already is left as it is. */
  async function keep(uow: UnitOfWork, projectId: string, span: OtlpSpan): Promise<boolean> {
    await ensureOrigin(uow, deps.origin);
    const seqs = await insertSpans(uow, [
      { projectId, originId: deps.origin.id, span, storedMicros: clock.now() },
    ]);
    await deleteOpenSpan(uow, span.spanId);
    if (deps.spooled()) await spoolSpans(uow, seqs);
    return seqs.length > 0;
  }

  async function closeAll(uow: UnitOfWork, open: readonly OpenSpan[], seen: Micros): Promise<number> {
    let recovered = 0;
    for (const { projectId, span } of open) {
      const closed = closedBy(span, Math.max(seen, Number(BigInt(span.startTimeUnixNano) / 1000n)));
      if (await keep(uow, projectId, closed)) recovered += 1;
    }
    return recovered;
  }

  /** An exchange whose caller had its answer: kept as it was answered, with what is written beside it, once. */
  async function keepEnded(uow: UnitOfWork, entry: EndedEntry, opened: OtlpSpan | undefined): Promise<void> {
    const { projectId, ended, event, deposit } = entry;
    if ((await selectSpanSeqs(uow, projectId, ended.spanId)).length > 0) {
      await deleteOpenSpan(uow, ended.spanId);
      return;
    }
    const began = opened ?? (await selectOpenSpan(uow, ended.spanId));
    const marks = event && (await deps.recordEvent(uow, event));
    if (deposit) await deps.deposit?.(uow, deposit);
    await keep(uow, projectId, endedAs(began, ended, marks));
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
    const opened = new Map<string, OpenedEntry>();
    // Of a stream that was answered step by step, the last word counts.
    const ended = new Map<string, EndedEntry>();
    const steps: ((uow: UnitOfWork) => Promise<number>)[] = [];
    for (const entry of entries) {
      if ('span' in entry) opened.set(entry.span.spanId, entry);
      else if ('ended' in entry) ended.set(entry.ended.spanId, entry);
      else if ('task' in entry) steps.push((uow) => upsertTaskUnlessNewer(uow, entry.task).then(() => 0));
    }
    for (const [spanId, entry] of ended)
      steps.push((uow) => keepEnded(uow, entry, opened.get(spanId)?.span).then(() => 0));
    for (const [spanId, entry] of opened)
      if (!ended.has(spanId)) steps.push((uow) => closeAll(uow, [entry], seen));
    let recovered = 0;
    for (let at = 0; at < steps.length; at += STEPS) recovered += await doSteps(steps.slice(at, at + STEPS));
    await remove();
    return recovered;
  }

  /** In one unit; where one fails, each by itself, so that what cannot be kept keeps nothing else from it. */
  async function doSteps(steps: readonly ((uow: UnitOfWork) => Promise<number>)[]): Promise<number> {
    try {
      return await db.write(async (uow) => {
        let sum = 0;
        for (const step of steps) sum += await step(uow);
        return sum;
      });
    } catch (error) {
      // The store itself does not work: the log is kept for the next time.
      if (error instanceof BatonError && error.status >= 500) throw error;
      if (steps.length === 1) {
        deps.onError(error, 'what a killed relay had seen was not recorded');
        return 0;
      }
      let sum = 0;
      for (const step of steps) sum += await doSteps([step]);
      return sum;
    }
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

/** The span as it began, with all that its end says; what both say, its end says better. */
function endedAs(began: OtlpSpan | undefined, ended: OtlpSpan, marks: PlainAttributes | undefined): OtlpSpan {
  const attributes = [...(ended.attributes ?? []), ...toKeyValues(marks ?? {})];
  const said = new Set(attributes.map(({ key }) => key));
  const kept = (began?.attributes ?? []).filter(({ key }) => !said.has(key));
  return { ...began, ...ended, attributes: [...kept, ...attributes] };
}
