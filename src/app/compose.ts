import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedRequests } from '../faces/http/credentials.ts';
import { createMetrics, type Metrics } from '../faces/http/metrics.ts';
import { openApiDocument } from '../faces/http/openapi.ts';
import type { McpDeps } from '../faces/mcp/call.ts';
import { createMcpHandlers } from '../faces/mcp/http.ts';
import { mcpOperations } from '../faces/mcp/operations.ts';
import type { Clock, Random } from '../kernel/clock.ts';
import { nodeRandom, systemClock } from '../platform/index.ts';
import { createDispatcher, type Dispatcher } from '../spine/dispatch/dispatch.ts';
import { bind, createRegistry, type Registry } from '../spine/dispatch/registry.ts';
import { signInPath } from '../spine/identity/credentials/token.ts';
import { createQuotas } from '../spine/identity/limits/quotas.ts';
import { selectFactors } from '../spine/identity/logins/passkey-store.ts';
import { hasFactor } from '../spine/identity/presence-rules.ts';
import { createWorker, type Worker } from '../spine/jobs/worker.ts';
import { measured } from '../spine/storage/measured.ts';
import { openDatabase } from '../spine/storage/open.ts';
import type { DatabaseOptions } from '../spine/storage/options.ts';
import { withWorkOutside } from '../spine/storage/work-outside.ts';
import { createSystemHandlers } from '../spine/system/handlers.ts';
import { systemOperations } from '../spine/system/operations.ts';
import { prepareDataFolder } from './data-folder.ts';
import { describeError, type Log, silentLog } from './log.ts';
import type { LostKeys } from './lost-keys.ts';
import { mcpSessions } from './mcp-sessions.ts';
import { migrations } from './migrations.ts';
import { composeNotifications } from './notifications.ts';
import type { Offers } from './offers.ts';
import { addLookedUp, createStoreMetrics, type StoreMetrics } from './own-metrics.ts';
import { readOwnerToken } from './owner-token.ts';
import { composeRooms } from './rooms.ts';
import type { Settings } from './settings.ts';
import type { ComposedSlice, Slice } from './slice.ts';
import { slices } from './slices/index.ts';
import { createSpine, type Spine } from './spine.ts';
import { VERSION } from './version.ts';
import { createWork } from './work.ts';

export interface App extends Spine {
  readonly version: string;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly metrics: Metrics;
  readonly mcp: McpDeps;
  readonly signed: readonly SignedRequests[];
  /** Aborted when the process is about to stop: it is not ready any more, and serves on. */
  readonly draining: AbortController;
  /** A path that opens the dashboard once, for the person at this machine. */
  dashboardLink(): Promise<string>;
  /** Whether the owner has a passphrase or a passkey. */
  ownerCanProvePresence(): Promise<boolean>;
  /** What a server does before it takes requests. */
  start(): Promise<void>;
  /** To be called once the server listens at this address. */
  served(url: string): Promise<void>;
  startUpkeep(): Upkeep;
  /** Does what is due before a process that is no server ends. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  readonly storage?: DatabaseOptions;
  /** Keys that are lost for good: a store is not opened without them otherwise. */
  readonly goingOnWithout?: LostKeys;
  /** For a process that runs only part of the product; the store always has the whole schema. */
  readonly slices?: readonly Slice[];
  /** The program of the threads for expensive work; by default beside the running program. */
  readonly workThread?: string;
}

/** Opens the store and wires every room to the others: the only place that knows them all. */
export async function openApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const { clock = systemClock, random = nodeRandom, log = silentLog } = options;
  prepareDataFolder(settings.dataDir, log);
  const work = createWork(settings.work, options.workThread);
  const store = createStoreMetrics();
  const db = withWorkOutside(
    measured(
      await openDatabase(settings.databaseUrl, {
        ...storageOptions(settings),
        onCommitted: store.committed,
        ...options.storage,
      }),
      store.meter,
    ),
    work,
  );
  try {
    await db.migrate(migrations);
    const spine = await createSpine({
      settings,
      log,
      db,
      work,
      clock,
      random,
      goingOnWithout: options.goingOnWithout,
    });
    return assemble(spine, store, [
      composeRooms(spine),
      composeNotifications(spine),
      ...composeSlices(spine, options.slices ?? slices),
    ]);
  } catch (error) {
    await db.close();
    throw error;
  }
}

function storageOptions({ databaseConnections, statementSeconds }: Settings): DatabaseOptions {
  return {
    ...(databaseConnections !== undefined && { poolSize: databaseConnections }),
    ...(statementSeconds !== undefined && { statementSeconds }),
  };
}

function composeSlices(spine: Spine, chosen: readonly Slice[]): ComposedSlice[] {
  const offers: Partial<Offers> = {};
  return chosen.map((slice) => {
    const parts = slice.compose(spine, { ...offers });
    Object.assign(offers, parts.offers);
    return parts;
  });
}

function assemble(spine: Spine, store: StoreMetrics, parts: readonly ComposedSlice[]): App {
  const { db, work, clock, random, hasher, identity, ids, log, settings } = spine;
  const metrics = createMetrics();
  const draining = new AbortController();
  const lookedUp = addLookedUp(store.registry, spine, VERSION);
  const startedAt = clock.now();
  const dispatcher = createDispatcher(db, clock, hasher, {
    random,
    payloads: spine.payloads,
    charge: createQuotas(identity.limiter, settings.quotas),
  });
  const mcp: McpDeps = {
    registry: () => registry,
    dispatcher,
    authenticate: identity.authenticate,
    version: VERSION,
    newRequestId: ids,
    listing: settings.mcpTools,
    ...mcpSessions(db, identity),
    log: (error, context) => log.error({ ...context, error: describeError(error) }, 'tool call failed'),
  };
  const system = createSystemHandlers({
    db,
    version: VERSION,
    uptime: () => (clock.now() - startedAt) / 1e6,
    isDraining: () => draining.signal.aborted,
    checks: () => Object.assign({}, ...parts.map(({ health }) => health?.() ?? {})),
    metricsText: async () => metrics.text() + (await store.registry.text()),
    openApi: async () => {
      const { describedOperations } = await import('./described-operations.ts');
      const served = [...registry.keys()].flatMap((name) => describedOperations[name] ?? []);
      return openApiDocument(served, VERSION);
    },
  });
  const registry = createRegistry(
    bind(systemOperations, system),
    bind(mcpOperations, createMcpHandlers(mcp)),
    ...parts.map(({ operations }) => operations),
  );
  const worker = createWorker(db, new Map(parts.flatMap(({ jobs = {} }) => Object.entries(jobs))), {
    clock,
    random,
    onError: (error) => log.error({ error: describeError(error) }, 'job worker failed'),
  });
  const asOwner = () =>
    identity.authenticate({ authorization: `Bearer ${readOwnerToken(settings.dataDir)}` });
  const keepUp = async () => {
    for (const { upkeep } of parts) await upkeep?.();
  };
  const keepUpAndReady = async () => {
    await spine.search.embedder.prepare?.();
    await keepUp();
  };
  return {
    ...spine,
    version: VERSION,
    registry,
    dispatcher,
    metrics,
    mcp,
    draining,
    signed: parts.flatMap(({ signed }) => signed ?? []),
    async ownerCanProvePresence() {
      const { actor } = await asOwner();
      return hasFactor(await db.read((reader) => selectFactors(reader, actor.id)));
    },
    async dashboardLink() {
      const principal = await asOwner();
      const { link } = await db.write((uow) => identity.logins.createLink(uow, principal));
      return signInPath(link);
    },
    async start() {
      for (const { start } of parts) await start?.();
    },
    async served(url) {
      for (const { served } of parts) await served?.(url);
    },
    startUpkeep: () =>
      startUpkeep(worker, keepUpAndReady, (error) =>
        log.error({ error: describeError(error) }, 'upkeep failed'),
      ),
    async drain() {
      await worker.drain();
      await keepUp();
    },
    async close() {
      for (const { close } of parts) await close?.();
      lookedUp.close();
      await identity.settled();
      await work.close();
      await db.close();
    },
  };
}

interface Upkeep {
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;
/** What still waits for somebody else then is leased, and is taken up again as after a crash. */
const STOP_WAIT_MS = 5_000;

/** What a running server does beside its requests: jobs at once, the rooms' upkeep every two seconds. */
function startUpkeep(worker: Worker, keepUp: () => Promise<void>, onError: (error: unknown) => void): Upkeep {
  const stopped = new AbortController();
  const jobs = worker.run(stopped.signal).catch(onError);
  let round = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    round = keepUp()
      .catch(onError)
      .finally(() => {
        busy = false;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      const late = sleep(STOP_WAIT_MS, undefined, { ref: false });
      await Promise.race([Promise.all([jobs, round]), late]);
    },
  };
}
