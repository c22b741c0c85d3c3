/** What was done and decided, and what is true now: the Agentic Protocol on the spine. */
import { type Behalf, insider } from '../../spine/identity/on-behalf.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import { createAttach } from './attest/attach.ts';
import { createAttestHandlers } from './attest/handlers.ts';
import { createSignDeposit } from './attest/signed-deposit.ts';
import { createBlobHandlers } from './blobs/handlers.ts';
import { createDescriptorHandlers } from './descriptor/handlers.ts';
import { createAssertFact } from './facts/assert.ts';
import { createFactHandlers } from './facts/handlers.ts';
import { createInvalidateFact } from './facts/invalidate.ts';
import type { FactAssertion } from './facts/schema.ts';
import type { FactKey } from './facts/store.ts';
import { createFeedHandlers } from './feed/handlers.ts';
import { createEventRecorder } from './ledger.ts';
import type { contextOperations } from './operations.ts';
import { createOrientHandlers } from './orient/handlers.ts';
import { createDeposit } from './packages/deposit.ts';
import { createDepositDraft } from './packages/draft.ts';
import { createPackageHandlers } from './packages/handlers.ts';
import type { PackageDraft } from './packages/schema.ts';
import type { ContextDeps, ContextPorts } from './ports.ts';
import { createProjectHandlers } from './projects/handlers.ts';
import { createReviewHandlers } from './review/handlers.ts';
import { createReview } from './review/review.ts';
import { createTransferHandlers } from './transfer/handlers.ts';

export type { PackageDraft } from './packages/schema.ts';

/** What this slice does for others. Every change commits with the unit of work that is handed in, or not at all. */
export interface ContextOffers {
  /**
   * Deposits a package, filling in fields that have an obvious default. Depositing the same package again changes
   * nothing. It needs no signature, whatever the project demands of others. Throws `secret_found` if the project
   * blocks secrets, and `project_archived`.
   */
  deposit(uow: UnitOfWork, by: Behalf, draft: PackageDraft): Promise<void>;
  /** Makes a fact current and ends the one it replaces; changes nothing if it is current already. */
  assertFact(uow: UnitOfWork, by: Behalf, fact: FactAssertion): Promise<void>;
  /** Ends a fact without a successor; changes nothing if none is current. */
  retractFact(uow: UnitOfWork, by: Behalf, key: Omit<FactKey, 'projectId'>): Promise<void>;
}

export interface ContextSlice extends ContextOffers {
  readonly handlers: Handlers<typeof contextOperations>;
}

/** Call it once for each open store: it registers the effect of a review with the inbox. */
export function createContextSlice(ports: ContextPorts): ContextSlice {
  const deps: ContextDeps = { ...ports, record: createEventRecorder(ports) };
  const review = createReview(deps);
  const deposit = createDeposit(deps, review.open);
  const depositDraft = createDepositDraft(deps, deposit);
  const assertFact = createAssertFact(deps);
  const invalidateFact = createInvalidateFact(deps);
  const attach = createAttach(deps, assertFact);
  const sign = createSignDeposit(attach);
  return {
    async deposit(uow, by, draft) {
      await depositDraft(uow, { draft: { ...draft, project: by.projectId }, principal: insider(by) });
    },
    async assertFact(uow, by, fact) {
      const view = { ...fact, if_changed: fact.if_changed ?? true };
      await assertFact(uow, { projectId: by.projectId, view, principal: insider(by) });
    },
    async retractFact(uow, by, key) {
      await invalidateFact(uow, { key: { ...key, projectId: by.projectId }, principal: insider(by) });
    },
    handlers: {
      ...createDescriptorHandlers(deps.settings.version, deps.hasher),
      ...createPackageHandlers({ ...deps, deposit, depositDraft, sign }),
      ...createFactHandlers(assertFact, invalidateFact, deps),
      ...createProjectHandlers(deps),
      ...createReviewHandlers(review, deps.hasher),
      ...createOrientHandlers(deps),
      ...createFeedHandlers(deps),
      ...createBlobHandlers(deps),
      ...createAttestHandlers(deps, attach),
      ...createTransferHandlers(deps, review.open),
    },
  };
}
