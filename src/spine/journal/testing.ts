/** For tests of every room that journals: the real journal over a store, with time and ids that repeat. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { uuidV7Source } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/json/value.ts';
import type { ChainKind } from '../../kernel/trace/event-types.ts';
import { ed25519, nodeHasher } from '../../platform/index.ts';
import { fakeClock, seededRandom } from '../../platform/testing.ts';
import type { Database, UnitOfWork } from '../storage/database.ts';
import { adoptPrunings } from './chains/retention.ts';
import { plainPayloads } from './events/payload-codec.ts';
import { createFeed } from './feed/feed.ts';
import { type Appended, createJournal } from './journal.ts';
import { createSequencer } from './numbers/sequencer.ts';
import { loadSigner } from './tree/signing-key.ts';
import { createTree } from './tree/tree.ts';
import type { KeptQuestion } from './verify/kept-check.ts';
import { verifyJournal } from './verify/verify-journal.ts';

export type TestJournal = ReturnType<typeof testJournal>;

export function testJournal(db: Database, seed = 1, payloads = plainPayloads) {
  const clock = fakeClock();
  const random = seededRandom(seed);
  const ids = uuidV7Source(clock, random);
  const hasher = nodeHasher;
  const journal = createJournal({ hasher, ids, clock, payloads });
  const sequencer = createSequencer(db);
  const feed = createFeed(db, sequencer, payloads);

  async function openSession(uow: UnitOfWork, projectId = 'p1'): Promise<string> {
    const sessionId = ids();
    await journal.openChains(uow, { sessionId, ledgerId: ids(), projectId, traceId: ids() });
    return sessionId;
  }

  function append(
    uow: UnitOfWork,
    sessionId: string,
    payload: JsonObject = { n: 1 },
    type = 'test.happened',
    kind: ChainKind = 'ledger',
  ): Promise<Appended> {
    return journal.append(uow, { chain: { sessionId, kind }, type, payload });
  }

  return {
    db,
    clock,
    random,
    ids,
    hasher,
    journal,
    sequencer,
    feed,
    payloads,
    openSession,
    append,
    newSession: (projectId?: string) => db.write((uow) => openSession(uow, projectId)),
    appendOne: (sessionId: string, payload?: JsonObject, type?: string, kind?: ChainKind) =>
      db.write((uow) => append(uow, sessionId, payload, type, kind)),
  };
}

/** A tree whose key lies in a folder of its own. */
export async function testTree(rig: TestJournal, directory?: string) {
  const folder = directory ?? (await temporaryFolder());
  const signer = await loadSigner(rig.db, folder, rig.random);
  const tree = createTree({
    db: rig.db,
    sequencer: rig.sequencer,
    hasher: rig.hasher,
    signer,
    clock: rig.clock,
    payloads: rig.payloads,
    beforeFirstLink: () => adoptPrunings(rig),
  });
  const verify = (batch?: number, kept?: KeptQuestion) =>
    verifyJournal(rig.db, {
      hasher: rig.hasher,
      verifyEd25519: ed25519.verify,
      trustedKeys: signer.trustedKeys,
      payloads: rig.payloads,
      kept,
      ...(batch === undefined ? {} : { batch }),
    });
  return { tree, signer, folder, verify };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
