import type { Clock, Random } from '../../kernel/clock.ts';
import { toHex } from '../../kernel/hex.ts';
import type { Database, UnitOfWork } from '../../storage/database.ts';
import type { OtlpLink, OtlpSpan } from '../otlp/model.ts';
import type { TraceContext } from '../rules/trace-context.ts';
import { deleteOpenSpan, insertOpenSpan } from '../store/open-span-store.ts';
import { ensureOrigin, insertSpan, type Origin } from '../store/span-store.ts';
import { spoolSpan } from '../store/spool-store.ts';
import type { Later } from './later.ts';
import { type FinishOptions, finishSpan, LiveSpan } from './live-span.ts';

export interface StartOptions {
  readonly parent?: TraceContext | undefined;
  readonly traceState?: string | undefined;
  readonly links?: readonly OtlpLink[];
}

export interface Tracer {
  start(name: string, kind: number, options?: StartOptions): LiveSpan;
  /** Makes it known that the span has begun; resolves once that is durable. */
  opened(projectId: string, span: LiveSpan, along?: (uow: UnitOfWork) => Promise<void>): Promise<void>;
  /** Ends the span; it is stored within 25 ms together with `along`. */
  end(projectId: string, span: LiveSpan, along?: (uow: UnitOfWork) => Promise<void>): void;
}

export interface TracerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly instanceId: string;
  readonly origin: Origin;
  readonly finish: FinishOptions;
  readonly announce: (uow: UnitOfWork) => Promise<void>;
  readonly spooled: () => boolean;
  readonly onSpooled: () => void;
  readonly later: Later;
}

/** The one tracer of the process. Who is traced stands in each span's attributes, never in the resource. */
export function createTracer(deps: TracerDeps): Tracer {
  const { db, clock, random, instanceId, origin, later } = deps;
  let originKnown = false;

  async function store(uow: UnitOfWork, projectId: string, span: OtlpSpan): Promise<void> {
    if (!originKnown) {
      await ensureOrigin(uow, origin);
      uow.afterCommit(() => {
        originKnown = true;
      });
    }
    const isNew = await insertSpan(uow, projectId, origin.id, span, clock.now());
    await deleteOpenSpan(uow, span.spanId);
    if (!isNew || !deps.spooled()) return;
    await spoolSpan(uow, projectId, span);
    uow.afterCommit(deps.onSpooled);
  }

  return {
    start(name, kind, { parent, traceState, links } = {}) {
      return new LiveSpan({
        name,
        kind,
        traceId: parent?.traceId ?? toHex(random.bytes(16)),
        spanId: toHex(random.bytes(8)),
        parentSpanId: parent?.spanId,
        flags: parent?.flags ?? 1,
        traceState,
        start: clock.now(),
        ...(links && links.length > 0 && { links }),
      });
    },
    opened: (projectId, span, along) =>
      db.write(async (uow) => {
        const now = clock.now();
        await deps.announce(uow);
        await insertOpenSpan(uow, instanceId, { projectId, span: finishSpan(span, now, deps.finish) }, now);
        await along?.(uow);
      }),
    end(projectId, span, along) {
      if (span.endMicros !== undefined) return;
      span.endMicros = clock.now();
      const finished = finishSpan(span, span.endMicros, deps.finish);
      later.add(async (uow) => {
        await store(uow, projectId, finished);
        await along?.(uow);
      });
    },
  };
}
