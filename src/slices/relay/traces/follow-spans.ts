import type { Database, UnitOfWork } from '../../../spine/storage/database.ts';
import { addToCounter } from '../otlp/store.ts';
import { rollUp } from '../usage/rollup-rules.ts';
import { addRollups } from '../usage/rollup-store.ts';
import { hasArrivalUpTo, selectLastArrival, takeArrivals } from './arrivals-store.ts';
import { SPAN_BYTES } from './retention.ts';
import { mayHaveText } from './span-document.ts';
import { type SummedSpan, sumByTrace, understand } from './sum-spans.ts';
import { addToSessions, addToTraces, insertCalls, insertTexts, selectArrived } from './summary-store.ts';

/** Keeps the sums of traces, sessions, hours and days up with the spans that come. */
export interface SpanFollower {
  /** Sums up everything that was stored before the call, unless that is very much; false if some of it is left. */
  catchUp(): Promise<boolean>;
  /** Sums up some of what waits; true if there may be more. */
  step(): Promise<boolean>;
}

const BATCH = 500;
const MOST_BATCHES = 400;

export function createSpanFollower(db: Database): SpanFollower {
  // Each batch adds to what is there: two at once would each add to what the other has not written yet.
  let running: Promise<boolean> = Promise.resolve(false);

  function step(): Promise<boolean> {
    running = running.catch(() => false).then(() => db.write(sumSome, { flush: 'soon' }));
    return running;
  }

  return {
    step,
    async catchUp() {
      const last = await db.read(selectLastArrival);
      if (last === undefined) return true;
      for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
        if (!(await step())) return true;
        if (!(await db.read((reader) => hasArrivalUpTo(reader, last)))) return true;
      }
      return false;
    },
  };
}

async function sumSome(uow: UnitOfWork): Promise<boolean> {
  await uow.lock('relay:sums');
  const seqs = await takeArrivals(uow, BATCH);
  if (seqs === undefined) return false;
  for (let at = 0; at < seqs.length; at += BATCH) await sum(uow, seqs.slice(at, at + BATCH));
  return true;
}

async function sum(uow: UnitOfWork, seqs: readonly number[]): Promise<void> {
  const spans: SummedSpan[] = [];
  for (const row of await selectArrived(uow, seqs)) {
    spans.push(understand(row));
    await uow.giveTurn();
  }
  const traces = sumByTrace(spans);
  await addToTraces(uow, traces);
  await addToSessions(uow, traces);
  await insertCalls(uow, spans);
  await addRollups(uow, rollUp(spans));
  await addToCounter(
    uow,
    SPAN_BYTES,
    spans.reduce((bytes, { row }) => bytes + row.bytes, 0),
  );
  await insertTexts(
    uow,
    spans.filter(mayHaveText).map(({ row }) => row.seq),
  );
}
