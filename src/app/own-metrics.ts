import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { parseInstant } from '../kernel/instant.ts';
import { countSpool } from '../slices/relay/otlp/store.ts';
import { selectOpenItems } from '../spine/inbox/store.ts';
import { countJobs } from '../spine/jobs/store.ts';
import { countUnnumbered } from '../spine/journal/events/event-store.ts';
import { selectHead } from '../spine/journal/numbers/number-store.ts';
import type { Database, Reader } from '../spine/storage/database.ts';
import type { StoreMeter } from '../spine/storage/measured.ts';
import { selectStoreSize } from '../spine/storage/store-size.ts';
import { MetricRegistry } from '../spine/system/metric-registry.ts';
import { readCursor } from '../spine/why/store.ts';
import type { Spine } from './spine.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** What the store's driver and callers tell as it happens. */
export interface StoreMetrics {
  readonly registry: MetricRegistry;
  readonly meter: StoreMeter;
  readonly committed: (units: number) => void;
}

export function createStoreMetrics(): StoreMetrics {
  const registry = new MetricRegistry();
  const waiting = { unit: 0, read: 0 };
  const ended = registry.counter('baton_store_operations_total', 'Units of work and reads, by outcome.');
  const seconds = registry.histogram(
    'baton_store_operation_seconds',
    'Time of a unit of work or read, with its waits and its commit.',
    SECONDS,
  );
  const waits = registry.histogram(
    'baton_store_wait_seconds',
    'Time until a unit or read had its connection, its turn and its locks, and began.',
    SECONDS,
  );
  const refused = registry.counter(
    'baton_store_refused_total',
    'Units and reads that the store could not serve, by code: storage_locked is a wait for a lock that ended.',
  );
  const units = registry.histogram(
    'baton_store_commit_units',
    'Units of work that shared one commit.',
    COUNTS,
  );
  registry.gauge('baton_store_operations_open', 'Units of work and reads that wait or run.', () => [
    { value: waiting.unit, labels: { kind: 'unit' } },
    { value: waiting.read, labels: { kind: 'read' } },
  ]);
  return {
    registry,
    committed: (count) => units.observe(count),
    meter: {
      began: (kind) => {
        waiting[kind] += 1;
      },
      ended: ({ kind, waitSeconds, seconds: took, outcome }) => {
        waiting[kind] -= 1;
        ended.add(1, { kind, outcome: outcome === 'ok' ? 'ok' : 'failed' });
        seconds.observe(took, { kind });
        waits.observe(waitSeconds, { kind });
        if (outcome !== 'ok' && outcome !== 'error') refused.add(1, { kind, code: outcome });
      },
    },
  };
}

/** What is looked up when somebody asks: in the process, and in the store, once for all families. */
export function addLookedUp(registry: MetricRegistry, spine: Spine, version: string): { close(): void } {
  const lag = monitorEventLoopDelay({ resolution: LAG_MS });
  lag.enable();
  processFamilies(registry, spine, version, lag);
  storeFamilies(registry, spine);
  return { close: () => void lag.disable() };
}

const LAG_MS = 20;

function processFamilies(
  registry: MetricRegistry,
  { clock, db }: Spine,
  version: string,
  lag: IntervalHistogram,
): void {
  const startedAt = clock.now() / 1e6;
  const one = (value: number) => [{ value }];
  registry.gauge('baton_build_info', 'The version that runs, and its engine.', () => [
    { value: 1, labels: { version, node: process.versions.node, engine: db.engine } },
  ]);
  registry.gauge('baton_start_time_seconds', 'When this process began, since 1970.', () => one(startedAt));
  registry.gauge('baton_event_loop_lag_seconds', 'How late the event loop was, since the last look.', () => {
    const samples = [50, 99, 100].map((share) => ({
      value: Math.max(0, lag.percentile(share) / 1e9 - LAG_MS / 1000),
      labels: { quantile: share / 100 },
    }));
    lag.reset();
    return samples;
  });
  registry.gauge(
    'baton_cpu_seconds_total',
    'Processor time of this process.',
    () => {
      const { user, system } = process.cpuUsage();
      return [
        { value: user / 1e6, labels: { mode: 'user' } },
        { value: system / 1e6, labels: { mode: 'system' } },
      ];
    },
    'counter',
  );
  registry.gauge('baton_resident_bytes', 'Memory of this process.', () => one(process.memoryUsage.rss()));
  registry.gauge('baton_heap_used_bytes', 'Memory that JavaScript uses.', () =>
    one(process.memoryUsage().heapUsed),
  );
  registry.gauge('baton_active_resources', 'Sockets, timers, files and requests that keep the process.', () =>
    one(process.getActiveResourcesInfo().length),
  );
}

function storeFamilies(registry: MetricRegistry, { db, tree, clock }: Spine): void {
  const look = (name: string, help: string, read: (reader: Reader) => Promise<number>) =>
    registry.gauge(name, help, async () => [{ value: await db.read(read) }]);
  const head = async (reader: Reader) => (await selectHead(reader))?.next_leaf ?? 0;
  look('baton_store_size_bytes', 'Size of the store.', selectStoreSize);
  look('baton_journal_events', 'Numbered events of the journal.', head);
  look('baton_journal_unnumbered_events', 'Committed events that no feed has seen yet.', countUnnumbered);
  look(
    'baton_journal_unsigned_events',
    'Events since the last checkpoint.',
    async (reader) => (await head(reader)) - ((await selectHead(reader))?.signed_size ?? 0),
  );
  look(
    'baton_feed_lag_events',
    'Events that the slowest follower inside Baton, the index of causes, has still to read.',
    async (reader) => Math.max(0, (await head(reader)) - 1 - (await readCursor(reader))),
  );
  look('baton_relay_spool_spans', 'Spans that wait to be sent to the collector.', countSpool);
  registry.gauge('baton_checkpoint_age_seconds', 'Age of the newest signed checkpoint.', async () => {
    const last = await tree.latestCheckpoint();
    const at = last && parseInstant(last.createdAt)?.micros;
    return at === undefined ? [] : [{ value: (clock.now() - at) / 1e6 }];
  });
  registry.gauge('baton_jobs', 'Jobs by state.', async () =>
    (await db.read(countJobs)).map(({ state, jobs }) => ({ value: jobs, labels: { state } })),
  );
  const inbox = () => db.read(selectOpenItems);
  registry.gauge('baton_inbox_open_items', 'Decisions that wait for a person.', async () => [
    { value: (await inbox()).items },
  ]);
  registry.gauge('baton_inbox_oldest_seconds', 'How long the oldest open decision has waited.', async () => {
    const { oldest } = await inbox();
    return [{ value: oldest === null ? 0 : Math.max(0, (clock.now() - oldest) / 1e6) }];
  });
  registry.gauge('baton_store_up', 'Whether the store answers.', async () => [{ value: await answers(db) }]);
}

async function answers(db: Database): Promise<number> {
  return (await db.health()).status === 'pass' ? 1 : 0;
}
