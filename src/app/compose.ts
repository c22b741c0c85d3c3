import { mkdir } from 'node:fs/promises';
import { createDispatcher, type Dispatcher } from '../dispatch/dispatch.ts';
import { idempotencyMigrations } from '../dispatch/idempotency.ts';
import { bind, createRegistry, type Registry } from '../dispatch/registry.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import { openApiDocument } from '../http/openapi.ts';
import { requireProject } from '../identity/access.ts';
import type { OwnerKeyState } from '../identity/credentials/owner-key.ts';
import { createIdentityHandlers } from '../identity/handlers.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import { identityMigrations } from '../identity/migrations.ts';
import { identityOperations } from '../identity/operations.ts';
import { signInPath } from '../identity/sign-in-path.ts';
import { createInboxHandlers } from '../inbox/handlers.ts';
import { createInbox, type Inbox } from '../inbox/inbox.ts';
import { inboxMigrations } from '../inbox/migrations.ts';
import { inboxOperations } from '../inbox/operations.ts';
import type { JobHandlers } from '../jobs/handler.ts';
import { jobMigrations } from '../jobs/migrations.ts';
import { createJobQueue } from '../jobs/queue.ts';
import { createWorker } from '../jobs/worker.ts';
import { createFeed, type Feed } from '../journal/feed.ts';
import { createJournalHandlers } from '../journal/handlers.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import { journalMigrations } from '../journal/migrations.ts';
import { journalOperations } from '../journal/operations.ts';
import { createSequencer } from '../journal/sequencer.ts';
import { loadSigner } from '../journal/signing-key.ts';
import { createTree, type Tree } from '../journal/tree.ts';
import { verifyStore } from '../journal/verify-store.ts';
import type { Clock, Random } from '../kernel/clock.ts';
import { uuidV7Source } from '../kernel/ids.ts';
import { nodeHasher, nodeRandom, systemClock } from '../platform/index.ts';
import type { Settings } from '../settings.ts';
import type { Database } from '../storage/database.ts';
import { openDatabase } from '../storage/open.ts';
import { createSystemHandlers } from '../system/handlers.ts';
import { systemOperations } from '../system/operations.ts';
import { appErrors } from './errors.ts';
import { readOwnerToken } from './owner-token.ts';
import { keepUp, startUpkeep, type Upkeep } from './upkeep.ts';
import { VERSION } from './version.ts';

export interface App {
  readonly settings: Settings;
  readonly db: Database;
  readonly registry: Registry;
  readonly dispatcher: Dispatcher;
  readonly identity: Identity;
  readonly journal: Journal;
  readonly feed: Feed;
  readonly tree: Tree;
  readonly inbox: Inbox;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly version: string;
  /** Whether the owner key's file still holds the key that the store knows. */
  readonly ownerKey: OwnerKeyState;
  /** A path that opens the dashboard once, for the person at this machine. */
  dashboardLink(): Promise<string>;
  startUpkeep(onError: (error: unknown) => void): Upkeep;
  /** Does what is due before a process that is no server ends. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  readonly random?: Random;
}

/** Opens the store and wires every room to the others: the only place that knows them all. */
export async function openApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? nodeRandom;
  const hasher = nodeHasher;
  const ids = uuidV7Source(clock, random);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 }).catch((cause) => {
    throw appErrors.data_unusable({ message: `${settings.dataDir} cannot be used.`, cause });
  });
  const db = await openDatabase(settings.databaseUrl);
  try {
    await db.migrate([
      ...journalMigrations,
      ...identityMigrations,
      ...jobMigrations,
      ...inboxMigrations,
      ...idempotencyMigrations,
    ]);
    return await wire();
  } catch (error) {
    await db.close();
    throw error;
  }

  async function wire(): Promise<App> {
    const journal = createJournal({ hasher, ids, clock });
    const sequencer = createSequencer(db);
    const feed = createFeed(db, sequencer);
    const signer = await loadSigner(db, settings.dataDir, random);
    const tree = createTree({ db, sequencer, hasher, signer, clock });
    const identity = createIdentity({
      db,
      clock,
      random,
      hasher,
      ids,
      journal,
      settings: {
        secureCookies: settings.tls !== undefined || settings.behindProxy,
        ...(settings.jwt && {
          jwt: [
            {
              issuer: settings.jwt.issuer,
              audience: settings.jwt.audience,
              jwks: { url: settings.jwt.jwksUrl },
            },
          ],
        }),
      },
    });
    const ownerKey = await identity.ownerKey.prepare(settings.dataDir);
    const jobs = createJobQueue({ ids, clock });
    const inbox = createInbox({
      journal,
      jobs,
      hasher,
      clock,
      random,
      ledgerOf: async (uow, projectId, actor) => ({
        sessionId: (await identity.standingSession(uow, projectId, actor)).sessionId,
        kind: 'ledger',
      }),
    });
    const jobHandlers: JobHandlers = new Map();
    const worker = createWorker(db, jobHandlers, { clock, random });
    const metrics = createMetrics();
    const startedAt = clock.now();
    const registry: Registry = createRegistry(
      bind(
        systemOperations,
        createSystemHandlers({
          db,
          version: VERSION,
          uptime: () => (clock.now() - startedAt) / 1e6,
          metricsText: metrics.text,
          openApi: () => openApiDocument(registry, VERSION),
        }),
      ),
      bind(
        journalOperations,
        createJournalHandlers({
          db,
          feed,
          tree,
          requireProject,
          verify: (signal) =>
            verifyStore({
              db,
              databaseUrl: settings.databaseUrl,
              trustedKeys: tree.signer.trustedKeys,
              signal,
            }),
        }),
      ),
      bind(identityOperations, createIdentityHandlers(db, identity)),
      bind(inboxOperations, createInboxHandlers(inbox, clock)),
    );
    return {
      settings,
      db,
      registry,
      dispatcher: createDispatcher(db, clock, hasher),
      identity,
      journal,
      feed,
      tree,
      inbox,
      metrics,
      clock,
      newId: ids,
      version: VERSION,
      ownerKey,
      dashboardLink: () => ownerLink(identity, db, settings.dataDir),
      startUpkeep: (onError) => startUpkeep({ db, clock, tree, inbox, worker, onError }),
      async drain() {
        await worker.drain();
        await keepUp({ db, clock, tree, inbox });
      },
      async close() {
        await identity.settled();
        await db.close();
      },
    };
  }
}

/** Whoever starts the server can read the owner key; the link lets their browser in without showing it. */
async function ownerLink(identity: Identity, db: Database, dataDir: string): Promise<string> {
  const principal = await identity.authenticate({ authorization: `Bearer ${await readOwnerToken(dataDir)}` });
  const { link } = await db.write((uow) => identity.logins.createLink(uow, principal));
  return signInPath(link);
}
