import { parseInstant } from '../kernel/instant.ts';
import { forgetAnswersBefore, hasAnswersBefore } from '../spine/dispatch/idempotency-store.ts';
import { idempotencyMigrations } from '../spine/dispatch/migrations.ts';
import { bind } from '../spine/dispatch/registry.ts';
import { requireProject } from '../spine/identity/access.ts';
import { createIdentityHandlers } from '../spine/identity/handlers.ts';
import { identityMigrations } from '../spine/identity/migrations.ts';
import { identityOperations } from '../spine/identity/operations.ts';
import { createInboxHandlers } from '../spine/inbox/handlers.ts';
import { inboxMigrations } from '../spine/inbox/migrations.ts';
import { inboxOperations } from '../spine/inbox/operations.ts';
import { jobMigrations } from '../spine/jobs/migrations.ts';
import { pruneEndedSessions } from '../spine/journal/chains/retention.ts';
import { createJournalHandlers } from '../spine/journal/handlers.ts';
import { journalMigrations } from '../spine/journal/migrations.ts';
import { journalOperations } from '../spine/journal/operations.ts';
import { verifyStore } from '../spine/journal/verify/verify-in-thread.ts';
import { searchMigrations } from '../spine/search/store/migrations.ts';
import type { Migration } from '../spine/storage/migration.ts';
import { sharedRun } from './shared-run.ts';
import type { ComposedSlice } from './slice.ts';
import type { Spine } from './spine.ts';

/** In the order in which they are applied; a room's own order is its own. */
export const roomMigrations: readonly Migration[] = [
  ...journalMigrations,
  ...identityMigrations,
  ...jobMigrations,
  ...inboxMigrations,
  ...searchMigrations,
  ...idempotencyMigrations,
];

const ANSWERS_KEPT_MICROS = 24 * 3600 * 1e6;
const CHECKPOINT_EVERY_MICROS = 30 * 1e6;
const PRUNE_EVERY_MICROS = 3600 * 1e6;
const DAY_MICROS = 24 * 3600 * 1e6;

/** The spine's own operations and upkeep. */
export function composeRooms(spine: Spine): ComposedSlice {
  const { db, clock, feed, sequencer, tree, payloadKeys, identity, inbox, search, settings } = spine;
  let nextPrune = 0;
  const journalServices = {
    db,
    feed,
    tree,
    requireProject,
    verify: sharedRun((signal) =>
      verifyStore({
        db,
        databaseUrl: settings.databaseUrl,
        trustedKeys: tree.signer.trustedKeys,
        payloadKeys,
        signal,
      }),
    ),
  };
  return {
    operations: [
      ...bind(journalOperations, createJournalHandlers(journalServices)),
      ...bind(identityOperations, createIdentityHandlers(db, identity)),
      ...bind(inboxOperations, createInboxHandlers(inbox, clock)),
    ],
    async upkeep() {
      await signWhenDue();
      await pruneWhenDue();
      if (!search.embedder.embedNow) await search.catchUp(db);
      const now = clock.now();
      // Looked at before writing, so that an idle server writes nothing.
      if (await db.read((reader) => inbox.hasDue(reader))) await db.write((uow) => inbox.expireDue(uow));
      const old = now - ANSWERS_KEPT_MICROS;
      if (await db.read((reader) => hasAnswersBefore(reader, old))) {
        await db.write((uow) => forgetAnswersBefore(uow, old));
      }
    },
  };

  /** Often enough to notice a rewrite soon, seldom enough that checking all signatures stays cheap. */
  async function signWhenDue(): Promise<void> {
    const last = await tree.latestCheckpoint();
    const signedAt = last ? (parseInstant(last.createdAt)?.micros ?? 0) : 0;
    if (clock.now() - signedAt >= CHECKPOINT_EVERY_MICROS) await tree.checkpoint();
  }

  async function pruneWhenDue(): Promise<void> {
    const now = clock.now();
    if (settings.retentionDays === undefined || now < nextPrune) return;
    nextPrune = now + PRUNE_EVERY_MICROS;
    await pruneEndedSessions(db, sequencer, now - settings.retentionDays * DAY_MICROS);
  }
}
