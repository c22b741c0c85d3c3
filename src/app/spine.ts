import type { Clock, Random } from '../kernel/clock.ts';
import type { Hasher } from '../kernel/hasher.ts';
import { uuidV7Source } from '../kernel/ids.ts';
import type { BoundedWork } from '../platform/bounded-work/bounded-work.ts';
import { nodeHasher } from '../platform/index.ts';
import { createIdentity, type Identity } from '../spine/identity/identity.ts';
import type { OwnerKeyState } from '../spine/identity/keys/owner-key.ts';
import { createInbox, type Inbox } from '../spine/inbox/inbox.ts';
import { type Compaction, createCompaction } from '../spine/jobs/compaction.ts';
import { createJobQueue, type JobQueue } from '../spine/jobs/queue.ts';
import { adoptPrunings } from '../spine/journal/chains/retention.ts';
import { type PayloadCodec, payloadCodec } from '../spine/journal/events/payload-codec.ts';
import { loadPayloadKeys } from '../spine/journal/events/payload-keys.ts';
import { createFeed, type Feed } from '../spine/journal/feed/feed.ts';
import { createJournal, type Journal } from '../spine/journal/journal.ts';
import { createSequencer, type Sequencer } from '../spine/journal/numbers/sequencer.ts';
import { recordState, type State } from '../spine/journal/state/state.ts';
import { loadSigner } from '../spine/journal/tree/signing-key.ts';
import { createTree, type Tree } from '../spine/journal/tree/tree.ts';
import { createSearchIndex, type SearchIndex } from '../spine/search/search-index.ts';
import type { Embedder } from '../spine/search/vectors/embedder.ts';
import { createOllamaEmbedder, createOpenAiEmbedder } from '../spine/search/vectors/http-embedders.ts';
import { createStaticEmbedder } from '../spine/search/vectors/static-embedder.ts';
import type { Database } from '../spine/storage/database.ts';
import { describeError, type Log } from './log.ts';
import { checkKeys, type LostKeys } from './lost-keys.ts';
import { migrations } from './migrations.ts';
import { createRedactor, type Redact } from './redactor.ts';
import type { Settings } from './settings.ts';
import { tables } from './tables.ts';

/** What every slice is built on. */
export interface Spine {
  readonly settings: Settings;
  readonly log: Log;
  readonly db: Database;
  /** What callers can make expensive runs here, with a budget. */
  readonly work: BoundedWork;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** UUIDv7, ever growing. */
  readonly ids: () => string;
  readonly journal: Journal;
  readonly state: State;
  readonly sequencer: Sequencer;
  readonly feed: Feed;
  readonly tree: Tree;
  readonly payloads: PayloadCodec;
  readonly payloadKeys: readonly Uint8Array[];
  /** For texts that the protocols make part of hashed events. */
  readonly redact: Redact | undefined;
  readonly identity: Identity;
  readonly ownerKey: OwnerKeyState;
  readonly jobs: JobQueue;
  readonly compaction: Compaction;
  readonly inbox: Inbox;
  readonly search: SearchIndex;
}

export interface SpineDeps {
  readonly settings: Settings;
  readonly log: Log;
  readonly db: Database;
  readonly work: BoundedWork;
  readonly clock: Clock;
  readonly random: Random;
  readonly goingOnWithout?: LostKeys | undefined;
}

export async function createSpine(deps: SpineDeps): Promise<Spine> {
  const { settings, log, db, work, clock, random, goingOnWithout } = deps;
  const hasher = nodeHasher;
  const ids = uuidV7Source(clock, random);
  const payloadKeys = await loadPayloadKeys(settings.payloadKeys);
  const payloads = payloadCodec(payloadKeys);
  const journal = createJournal({ hasher, ids, clock, payloads });
  const state = await recordState(db, tables, { hasher, ids, clock, payloads });
  const sequencer = createSequencer(db);
  const redact = await createRedactor(settings.redact);
  const identity = createIdentity({
    db,
    clock,
    random,
    hasher,
    ids,
    journal,
    settings: {
      secureCookies: settings.tls !== undefined || settings.behindProxy,
      ...(settings.jwt && { jwt: [settings.jwt] }),
      ...(redact && { redact }),
    },
  });
  await checkKeys({ settings, db, random, payloads, identity, goingOnWithout });
  // Not before: a store that is refused for a lost key is left as it is.
  await state.recordRewrites(migrations);
  await state.adoptEmpty();
  const signer = await loadSigner(db, settings.dataDir, random);
  const jobs = createJobQueue({ ids, clock });
  return {
    settings,
    log,
    db,
    work,
    clock,
    random,
    hasher,
    ids,
    journal,
    state,
    sequencer,
    feed: createFeed(db, sequencer, payloads),
    tree: createTree({
      db,
      sequencer,
      hasher,
      signer,
      clock,
      payloads,
      beforeFirstLink: () => adoptPrunings({ db, sequencer, journal, hasher }),
    }),
    payloads,
    payloadKeys,
    redact,
    identity,
    ownerKey: await identity.ownerKey.prepare(settings.dataDir),
    jobs,
    compaction: createCompaction({ db, jobs, clock, ids }),
    search: createSearchIndex({
      embedder: chooseEmbedder(settings),
      clock,
      onEmbedderError: (error) => log.warn({ error: describeError(error) }, 'search went by words alone'),
    }),
    inbox: createInbox({
      journal,
      jobs,
      hasher,
      clock,
      random,
      ledgerOf: async (uow, projectId, actor) => ({
        sessionId: (await identity.standingSession(uow, projectId, actor)).sessionId,
        kind: 'ledger',
      }),
    }),
  };
}

function chooseEmbedder({ embedder }: Settings): Embedder {
  if (!embedder) return createStaticEmbedder();
  return embedder.kind === 'ollama' ? createOllamaEmbedder(embedder) : createOpenAiEmbedder(embedder);
}
