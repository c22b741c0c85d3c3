import { parseInstant } from '../kernel/instant.ts';
import { forgetAnswersBefore, hasAnswersBefore } from '../spine/dispatch/idempotency-store.ts';
import { bind } from '../spine/dispatch/registry.ts';
import { requireProject } from '../spine/identity/access.ts';
import { createIdentityHandlers } from '../spine/identity/handlers.ts';
import { createInvitationHandlers } from '../spine/identity/invitations/handlers.ts';
import { invitationOperations } from '../spine/identity/invitations/operations.ts';
import { createOAuthHandlers } from '../spine/identity/oauth/handlers.ts';
import { oauthOperations } from '../spine/identity/oauth/operations.ts';
import { identityOperations } from '../spine/identity/operations.ts';
import { createInboxHandlers } from '../spine/inbox/handlers.ts';
import { HELD_JOB, heldJob } from '../spine/inbox/held-job.ts';
import { inboxOperations } from '../spine/inbox/operations.ts';
import { COMPACTION_JOB } from '../spine/jobs/compaction.ts';
import { createJournalHandlers, type VerifyQuestion } from '../spine/journal/handlers.ts';
import { journalOperations } from '../spine/journal/operations.ts';
import { createKeptFolder } from '../spine/journal/tree/kept-folder.ts';
import type { StoredCheckpoint } from '../spine/journal/tree/tree-store.ts';
import { verifyStore } from '../spine/journal/verify/verify-in-thread.ts';
import { type WitnessStatus, withCosignatures } from '../spine/journal/witness/cosigning.ts';
import { derivedTables } from './derived-tables.ts';
import { migrations } from './migrations.ts';
import { createRetention, RETENTION_JOB } from './retention.ts';
import { sharedRun } from './shared-run.ts';
import type { ComposedSlice } from './slice.ts';
import type { Spine } from './spine.ts';
import { tables } from './tables.ts';
import { COSIGN, composeWitnesses, cosignJob, witnessHealth } from './witnesses.ts';

const ADOPTIONS_PER_ROUND = 20;
const ANSWERS_KEPT_MICROS = 24 * 3600 * 1e6;
const CHECKPOINT_EVERY_MICROS = 30 * 1e6;

/** The spine's own operations and upkeep. */
export function composeRooms(spine: Spine): ComposedSlice {
  const { db, clock, feed, state, tree, payloadKeys, identity, inbox, search, settings } = spine;
  const retention = createRetention({ ...spine, days: settings.retentionDays });
  const kept =
    settings.checkpointFolder === undefined
      ? undefined
      : createKeptFolder({
          folder: settings.checkpointFolder,
          tree,
          onFault: (message) => spine.log.error({ folder: settings.checkpointFolder }, message),
        });
  const { cosigning, witnessKeys } = composeWitnesses(spine);
  let witnesses: readonly WitnessStatus[] = [];
  const journalServices = {
    db,
    feed,
    tree,
    cosigning,
    requireProject,
    verify: sharedRun((asked: VerifyQuestion, signal) =>
      verifyStore({
        ...asked,
        db,
        databaseUrl: settings.databaseUrl,
        declarations: tables,
        derived: derivedTables,
        migrations,
        trustedKeys: tree.signer.trustedKeys,
        payloadKeys,
        witnessKeys,
        signal,
      }),
    ),
  };
  return {
    operations: [
      ...bind(journalOperations, createJournalHandlers(journalServices)),
      ...bind(identityOperations, createIdentityHandlers(db, identity)),
      ...bind(invitationOperations, createInvitationHandlers(db, identity, clock)),
      ...bind(
        oauthOperations,
        createOAuthHandlers({
          db,
          identity,
          authorization: identity.authorization,
          issuer: settings.mcpIssuer,
        }),
      ),
      ...bind(inboxOperations, createInboxHandlers({ db, inbox, clock })),
    ],
    start: checkKept,
    health: () => ({
      ...(kept && { kept_checkpoints: kept.status() }),
      ...(witnesses.length > 0 && { witnesses: witnessHealth(witnesses) }),
    }),
    jobs: {
      [HELD_JOB]: heldJob(db, inbox),
      [COSIGN]: cosignJob(cosigning),
      [COMPACTION_JOB]: spine.compaction.job,
      [RETENTION_JOB]: retention.job,
    },
    async upkeep() {
      await adoptState();
      await signWhenDue();
      await cosignWhenDue();
      await retention.enqueueWhenDue();
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

  /** A large store takes several rounds, so that the rest of the upkeep does not wait for it. */
  async function adoptState(): Promise<void> {
    for (let unit = 0; unit < ADOPTIONS_PER_ROUND; unit += 1) if (!(await state.adoptSome())) return;
  }

  /** Often enough to notice a rewrite soon, seldom enough that checking all signatures stays cheap. */
  async function signWhenDue(): Promise<void> {
    const last = await tree.latestCheckpoint();
    const signedAt = last ? (parseInstant(last.createdAt)?.micros ?? 0) : 0;
    const since = clock.now() - signedAt;
    // One from the future was dated so by somebody, or by a clock that was set back since.
    const due = since >= CHECKPOINT_EVERY_MICROS || since < 0;
    const newest = due ? await tree.checkpoint() : last;
    await keep(newest);
  }

  /** Before anything is written: what was changed while no server ran shows at once. */
  async function checkKept(): Promise<void> {
    await keep(await tree.latestCheckpoint());
  }

  async function keep(checkpoint: StoredCheckpoint | undefined): Promise<void> {
    await kept?.keep(checkpoint && (await db.read((reader) => withCosignatures(reader, checkpoint))));
  }

  async function cosignWhenDue(): Promise<void> {
    for (const key of await cosigning.due()) {
      await db.write((uow) => spine.jobs.enqueue(uow, { kind: COSIGN, key, maxAttempts: 1 }));
    }
    if (witnessKeys.length > 0) witnesses = await db.read((reader) => cosigning.status(reader));
  }
}
