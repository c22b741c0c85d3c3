import type { Micros } from '../../../kernel/clock.ts';
import type { SearchIndex } from '../../../spine/search/search-index.ts';
import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import { addToCounter } from '../otlp/store.ts';
import type { RelaySettings } from '../settings.ts';
import {
  deleteSpans,
  selectLastBefore,
  selectOldestSpans,
  selectOldSpans,
  selectSeqsOfTrace,
} from '../spans/store.ts';
import { DAY_S, HOUR_S } from '../usage/rollup-rules.ts';
import { pruneRollups } from '../usage/rollup-store.ts';
import {
  deleteEmptyTraces,
  deleteNotesOf,
  deleteTrace,
  readCounter,
  selectHealthy,
  selectIndexed,
  setCounter,
} from './retention-store.ts';
import { pruneSessionMetrics } from './session-metrics-store.ts';
import { spanKey } from './span-document.ts';

export const SPAN_BYTES = 'span_bytes';
const SAMPLED_UNTIL = 'sampled_until';
const AT_ONCE = 500;
const DAY_MICROS = DAY_S * 1e6;
const HOURS_KEPT_DAYS = 35;
const DAYS_KEPT_DAYS = 400;

export type RetentionSettings = Pick<
  RelaySettings,
  'retentionDays' | 'retentionSpans' | 'retentionBytes' | 'healthyShare' | 'healthyAfterHours'
>;

/** What spans leave behind is deleted with them; sums by hour and day outlive them. */
export interface Retention {
  run(now: Micros): Promise<void>;
}

export function createRetention(
  db: Database,
  search: Pick<SearchIndex, 'remove'>,
  settings: RetentionSettings,
): Retention {
  async function forget(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
    if (seqs.length === 0) return;
    for (const span of await selectIndexed(uow, seqs)) search.remove(uow, spanKey(span));
    await deleteNotesOf(uow, seqs);
    const bytes = await deleteSpans(uow, seqs);
    await addToCounter(uow, SPAN_BYTES, -Math.min(bytes, await readCounter(uow, SPAN_BYTES)));
  }

  /** By age, number and size, the oldest first. */
  async function prune(uow: UnitOfWork, now: Micros): Promise<boolean> {
    const before = now - settings.retentionDays * DAY_MICROS;
    const old = await selectOldSpans(uow, { before, keep: settings.retentionSpans, atMost: AT_ONCE });
    const tooLarge = old.length === 0 && (await readCounter(uow, SPAN_BYTES)) > settings.retentionBytes;
    const seqs = tooLarge ? await selectOldestSpans(uow, AT_ONCE) : old;
    await forget(uow, seqs);
    const traces = await deleteEmptyTraces(uow, AT_ONCE);
    return seqs.length > 0 || traces >= AT_ONCE;
  }

  /** Of traces that went well, only a share is kept once they are old enough; always the same ones. */
  async function sample(uow: UnitOfWork, now: Micros): Promise<boolean> {
    const upTo = await selectLastBefore(uow, now - settings.healthyAfterHours * HOUR_S * 1e6);
    const after = await readCounter(uow, SAMPLED_UNTIL);
    if (upTo === undefined || upTo <= after) return false;
    const traces = await selectHealthy(uow, after, upTo, AT_ONCE);
    let budget = AT_ONCE;
    for (const { project_id, trace_id, last_seq, healthy } of traces) {
      if (healthy === 1 && !isKept(trace_id, settings.healthyShare)) {
        const seqs = await selectSeqsOfTrace(uow, project_id, trace_id, AT_ONCE);
        await forget(uow, seqs);
        // A trace of very many spans goes in several units.
        if (seqs.length === AT_ONCE) return true;
        await deleteTrace(uow, project_id, trace_id);
        budget -= seqs.length;
      }
      await setCounter(uow, SAMPLED_UNTIL, last_seq);
      if (budget <= 0) return true;
    }
    if (traces.length < AT_ONCE) await setCounter(uow, SAMPLED_UNTIL, upTo);
    return traces.length === AT_ONCE;
  }

  return {
    async run(now) {
      while (await db.write((uow) => prune(uow, now)));
      if (settings.healthyShare < 1) while (await db.write((uow) => sample(uow, now)));
      await db.write(async (uow) => {
        await pruneRollups(uow, HOUR_S, now - HOURS_KEPT_DAYS * DAY_MICROS, AT_ONCE);
        await pruneRollups(uow, DAY_S, now - DAYS_KEPT_DAYS * DAY_MICROS, AT_ONCE);
        await pruneSessionMetrics(uow, now - settings.retentionDays * DAY_MICROS);
      });
    },
  };
}

/** By the end of the id, which is random wherever a trace id is. */
export function isKept(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) / 2 ** 32 < share;
}
