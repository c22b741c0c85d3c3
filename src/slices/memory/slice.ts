/**
 * What is known of a person, and with whose consent: a2p memory 0.1.0. Every verb is a function `(uow, deps, …)` in the
 * folder of its subject, with `MemoryDeps` as `deps`.
 */
import type { Principal } from '../../spine/identity/principal.ts';
import type { JobHandler } from '../../spine/jobs/handler.ts';
import type { BeforeCall, Handlers } from '../../spine/operations/handler.ts';
import type { ChatModel } from '../../spine/outbound/chat-model.ts';
import type { UnitOfWork } from '../../spine/storage/database.ts';
import { authenticateSigned, type SignedCall } from './a2p/authenticate.ts';
import { createA2pHandlers } from './a2p/handlers.ts';
import { createMeter } from './a2p/meter.ts';
import { isSignatureHeader } from './a2p/rules.ts';
import { type CaptureRequest, capture, captureFound } from './capture/capture.ts';
import { createCaptureHandlers } from './capture/handlers.ts';
import { createSecondReader } from './capture/second-reader.ts';
import { createCleanupHandlers } from './cleanup/handlers.ts';
import { createConsentHandlers } from './consent/handlers.ts';
import { createConsolidationHandlers } from './consolidation/handlers.ts';
import { promoteDue, promotionSuggestions } from './consolidation/promote.ts';
import { createErasureJob } from './erasure/carry-out.ts';
import { createErasureHandlers } from './erasure/handlers.ts';
import { ERASURE_JOB } from './erasure/request.ts';
import { createMemoriesHandlers } from './memories/handlers.ts';
import { type RecalledMemory, type RecallRequest, recallFor } from './memories/recall.ts';
import type { a2pOperations, memoryOperations } from './operations.ts';
import type { MemoryDeps } from './ports.ts';
import { createProfileHandlers } from './profiles/handlers.ts';
import { selectProfile, selectProfileDids } from './profiles/store.ts';
import { BATCH_KIND } from './proposals/batch.ts';
import { createBatchEffect } from './proposals/batch-effect.ts';
import { createProposalHandlers } from './proposals/handlers.ts';
import { createProposalEffect } from './proposals/inbox.ts';
import { PROPOSAL_KIND } from './proposals/review.ts';
import { createRegistryHandlers } from './registry/handlers.ts';
import { forgetNonces, hasNoncesBefore } from './registry/store.ts';
import { createTransferHandlers } from './transfer/handlers.ts';
import { createDeliveryJob, WEBHOOK_JOB } from './webhooks/deliver.ts';
import { createWebhookHandlers } from './webhooks/handlers.ts';

/** What this slice does for others. */
export interface MemoryOffers {
  /**
   * What the person of the project lets this caller know, best first; nothing if there is no person, or no consent. For
   * an agent it is recorded and counted like any recall. Opens its own unit.
   */
  recall(principal: Principal, request: RecallRequest): Promise<RecalledMemory[]>;
  /**
   * Proposes to the person of the project what they said of themselves in these turns, on one card of the inbox; the ids
   * of the proposals. Call it with the person's own words only. Does nothing without a person or consent.
   */
  capture(uow: UnitOfWork, principal: Principal, request: CaptureRequest): Promise<string[]>;
}

export interface MemorySlice extends MemoryOffers {
  readonly handlers: Handlers<typeof memoryOperations>;
  readonly a2pHandlers: Handlers<typeof a2pOperations>;
  /** Bind it to a2p's operations: it counts their requests and refuses those beyond a limit. */
  readonly a2pMeter: BeforeCall;
  /** By kind of job. */
  readonly jobs: Readonly<Record<string, JobHandler>>;
  readonly signed: {
    /** Whether an `Authorization` header is a2p's signature; call `authenticate` only for those. */
    recognises(authorization: string | undefined): authorization is string;
    /** Who signed the request. Remembers the nonce, so the same request is refused the second time. */
    authenticate(call: SignedCall): Promise<Principal>;
  };
  /** Forgets old nonces and promotes what is due. Call it every few seconds; writes nothing when nothing is due. */
  upkeep(): Promise<void>;
  /** Ends what a model is still asked. */
  close(): Promise<void>;
}

/** A model of the owner's own that reads what people said, and who is told where it fails. */
export interface CaptureModel {
  readonly model: ChatModel;
  readonly onError: (error: unknown) => void;
}

/** Call it once for each open store: it registers the effect of reviewing a proposal with the inbox. */
export function createMemorySlice(given: MemoryDeps, captureModel?: CaptureModel): MemorySlice {
  const deps = captureModel === undefined ? given : withSecondReader(given, captureModel);
  deps.inbox.register(PROPOSAL_KIND, createProposalEffect(deps));
  deps.inbox.register(BATCH_KIND, createBatchEffect(deps));
  return {
    recall: (principal, request) => recallFor(deps, principal, request),
    capture: (uow, principal, request) => capture(uow, deps, principal, request),
    handlers: {
      ...createProfileHandlers(deps),
      ...createTransferHandlers(deps),
      ...createProposalHandlers(deps),
      ...createCaptureHandlers(deps),
      ...createCleanupHandlers(deps),
      ...createMemoriesHandlers(deps),
      ...createConsolidationHandlers(deps),
      ...createConsentHandlers(deps),
      ...createRegistryHandlers(deps),
      ...createErasureHandlers(deps),
      ...createWebhookHandlers(deps),
    },
    a2pHandlers: createA2pHandlers(deps),
    a2pMeter: createMeter(deps),
    jobs: { [WEBHOOK_JOB]: createDeliveryJob(deps), [ERASURE_JOB]: createErasureJob(deps) },
    signed: {
      recognises: isSignatureHeader,
      authenticate: (call) => authenticateSigned(deps, call),
    },
    upkeep: createUpkeep(deps),
    close: async () => deps.secondReader?.close(),
  };
}

function withSecondReader(given: MemoryDeps, { model, onError }: CaptureModel): MemoryDeps {
  const secondReader = createSecondReader({
    model,
    clock: given.clock,
    found: async (found) => {
      await given.db.write((uow) => captureFound(uow, given, found, model.name));
    },
    onError,
  });
  return { ...given, secondReader };
}

/** Twice as long as a signature is valid. */
const NONCES_KEPT = 600_000_000;
const PROMOTION_EVERY = 3_600_000_000;

function createUpkeep(deps: MemoryDeps): () => Promise<void> {
  const { db, clock } = deps;
  let promoted = clock.now();
  return async () => {
    const now = clock.now();
    const before = now - NONCES_KEPT;
    if (await db.read((reader) => hasNoncesBefore(reader, before)))
      await db.write((uow) => forgetNonces(uow, before));
    if (now - promoted < PROMOTION_EVERY) return;
    promoted = now;
    for (const did of await db.read(selectProfileDids)) {
      const profile = await db.read((reader) => selectProfile(reader, did));
      if (!profile) continue;
      const due = await db.read((reader) => promotionSuggestions(reader, deps, profile));
      if (due.length > 0) await db.write((uow) => promoteDue(uow, deps, profile));
    }
  };
}
