import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Gathering, UnitOfWork } from '../../../spine/storage/database.ts';
import type { CrashLog, EndedEntry } from '../crash-log.ts';
import type { DeferredWrites } from '../deferred-writes.ts';
import type { OtlpLink, OtlpSpan, PlainAttributes } from '../otlp/model.ts';
import { spoolSpans } from '../otlp/store.ts';
import { type FinishOptions, finishSpan, LiveSpan, markSpan } from './live-span.ts';
import { createSpanIds } from './span-ids.ts';
import {
  deleteOpenSpan,
  ensureOrigin,
  insertOpenSpan,
  insertSpans,
  type NewSpan,
  type Origin,
} from './store.ts';
import type { TraceContext } from './trace-context.ts';

export interface StartOptions {
  readonly parent?: TraceContext | undefined;
  readonly traceState?: string | undefined;
  readonly links?: readonly OtlpLink[];
}

/** Done in the unit that stores the spans; what it answers stands in each of them. */
export type WriteWithSpans = (uow: UnitOfWork) => Promise<PlainAttributes | undefined>;

export interface Tracer {
  start(name: string, kind: number, options?: StartOptions): LiveSpan;
  /** From now on a kill leaves a recovered span; one that lasts is in the store soon. */
  opened(projectId: string, span: LiveSpan): void;
  /**
   * How an opened span ends is known, and somebody is about to be told: from now on a kill leaves it as `ending` says.
   * `ending` has the span's own start, and what it says takes precedence over what the span said when it was opened.
   */
  answered(projectId: string, span: LiveSpan, ending: LiveSpan, along?: EndingAlong): void;
  /** Ends the span; it is stored soon afterwards. */
  end(projectId: string, span: LiveSpan): void;
  /** Ends the spans; they are stored soon afterwards in one unit, together with `along`. */
  endTogether(projectId: string, spans: readonly LiveSpan[], along?: WriteWithSpans): void;
}

/** What is written with a span that a kill kept from being stored. */
export type EndingAlong = Pick<EndedEntry, 'event' | 'deposit'>;

/** What stands in the log of a span: to be called once the store has the span as it ended. */
interface Noted {
  readonly opened?: () => void;
  readonly answered?: () => void;
}

export interface TracerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly instanceId: string;
  readonly origin: Origin;
  readonly finish: FinishOptions;
  readonly announce: (uow: UnitOfWork) => Promise<void>;
  readonly spooled: () => boolean;
  readonly onSpooled: () => void;
  readonly deferred: DeferredWrites;
  readonly log: CrashLog;
}

/** The one tracer of the process. Who is traced stands in each span's attributes, never in the resource. */
export function createTracer(deps: TracerDeps): Tracer {
  const { clock, instanceId, origin, deferred, log } = deps;
  const ids = createSpanIds(clock, deps.random);
  const noted = new WeakMap<LiveSpan, Noted>();
  const inStore = new WeakSet<LiveSpan>();
  let originKnown = false;

  const ended: Gathering<NewSpan> = {
    async apply(uow, spans) {
      const seqs = await insertSpans(uow, spans);
      if (deps.spooled()) await spoolSpans(uow, seqs);
    },
  };

  async function store(uow: UnitOfWork, projectId: string, span: OtlpSpan): Promise<void> {
    if (!originKnown) {
      await ensureOrigin(uow, origin);
      uow.afterCommit(() => {
        originKnown = true;
      });
    }
    uow.gather(ended, { projectId, originId: origin.id, span, storedMicros: clock.now() });
    if (deps.spooled()) uow.afterCommit(deps.onSpooled);
  }

  function endTogether(projectId: string, given: readonly LiveSpan[], along?: WriteWithSpans): void {
    const spans = given.filter(({ endMicros }) => endMicros === undefined);
    const end = clock.now();
    for (const span of spans) span.endMicros = end;
    // Here and not in the unit: a commit of many exchanges would hold up the messages of others for too long.
    const finished = spans.map((live) => ({ live, span: finishSpan(live, end, deps.finish) }));
    deferred.add(async (uow) => {
      const marks = await along?.(uow);
      for (const { live, span } of finished) {
        await store(uow, projectId, marks ? markSpan(span, marks, deps.finish) : span);
        if (inStore.has(live)) await deleteOpenSpan(uow, span.spanId);
        const { opened, answered } = noted.get(live) ?? {};
        if (opened) uow.afterCommit(opened);
        if (answered) uow.afterCommit(answered);
      }
    });
  }

  return {
    start(name, kind, { parent, traceState, links } = {}) {
      return new LiveSpan({
        name,
        kind,
        traceId: parent?.traceId ?? ids.traceId(),
        spanId: ids.spanId(),
        parentSpanId: parent?.spanId,
        flags: parent?.flags ?? 1,
        traceState,
        start: clock.now(),
        links,
      });
    },
    opened(projectId, live) {
      const span = finishSpan(live, clock.now(), deps.finish);
      const stored = log.note({ projectId, span });
      log.flush();
      noted.set(live, { opened: stored });
      // What has ended meanwhile is about to be stored as it ended.
      const hasEnded = () => live.endMicros !== undefined;
      deferred.add(async (uow) => {
        if (hasEnded()) return;
        await deps.announce(uow);
        await insertOpenSpan(uow, instanceId, { projectId, span }, clock.now());
        inStore.add(live);
        uow.afterCommit(stored);
      }, hasEnded);
    },
    answered(projectId, live, ending, along) {
      const ended = finishSpan(ending, clock.now(), deps.finish);
      const stored = log.note({ projectId, ended, ...along });
      log.flush();
      const before = noted.get(live);
      noted.set(live, { ...before, answered: stored });
      // Only the last word counts, and an agent may say very many.
      before?.answered?.();
    },
    end: (projectId, span) => endTogether(projectId, [span]),
    endTogether,
  };
}
