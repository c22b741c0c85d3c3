/** What was done and decided, and what is true now: the Agentic Protocol on the spine. */
import { type Behalf, insider } from '../../spine/identity/on-behalf.ts';
import type { Actor, Principal } from '../../spine/identity/principal.ts';
import type { Session } from '../../spine/identity/sessions/session.ts';
import type { Handlers } from '../../spine/operations/handler.ts';
import type { SearchHit } from '../../spine/search/request.ts';
import type { Reader, UnitOfWork } from '../../spine/storage/database.ts';
import { createAttach } from './attest/attach.ts';
import { createAttestHandlers } from './attest/handlers.ts';
import { createSignDeposit } from './attest/signed-deposit.ts';
import { createBlobHandlers } from './blobs/handlers.ts';
import { createCleanupHandlers } from './cleanup/handlers.ts';
import { createDescriptorHandlers } from './descriptor/handlers.ts';
import { createAssertFact } from './facts/assert.ts';
import { createFactHandlers } from './facts/handlers.ts';
import { createInvalidateFact } from './facts/invalidate.ts';
import type { FactAssertion } from './facts/schema.ts';
import type { FactKey } from './facts/store.ts';
import { FACTS } from './facts/stored-fact.ts';
import { createFeedHandlers } from './feed/handlers.ts';
import { createEventRecorder } from './ledger.ts';
import type { contextOperations } from './operations.ts';
import { createOrientHandlers } from './orient/handlers.ts';
import { createOrient } from './orient/orient.ts';
import { searchVisible } from './orient/search.ts';
import { createDeposit } from './packages/deposit.ts';
import { createDepositDraft } from './packages/draft.ts';
import { createPackageHandlers } from './packages/handlers.ts';
import type { PackageDraft } from './packages/schema.ts';
import { markSuperseded, selectOwnOf, selectPackage } from './packages/store.ts';
import { packageText, type StoredPackage } from './packages/stored-package.ts';
import type { ContextDeps, ContextPorts } from './ports.ts';
import { createProjectHandlers } from './projects/handlers.ts';
import { createQuestionHandlers } from './questions/handlers.ts';
import { createQuestions } from './questions/questions.ts';
import { createReviewHandlers } from './review/handlers.ts';
import { createReview } from './review/review.ts';
import type { Package } from './schema.ts';
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
  /** The orientation as Markdown for a prompt, for one session. Opens its own units, and records what was handed out. */
  brief(request: BriefRequest): Promise<string>;
  /** Packages and facts that the caller may see, best first. Outside any unit. */
  findRelated(principal: Principal, query: RelatedQuery): Promise<RelatedText[]>;
  /** The newest package that this author deposited in a session other than by itself. */
  ownDeposit(
    reader: Reader,
    session: { readonly projectId: string; readonly sessionId: string; readonly authorId: string },
  ): Promise<{ readonly packageId: string; readonly depositedMicros: number } | undefined>;
  /** Says of a package that was deposited by itself that another one tells more. */
  supersedeDeposit(
    uow: UnitOfWork,
    which: { readonly projectId: string; readonly packageId: string; readonly by: string },
  ): Promise<void>;
}

function descriptionOf(stored: StoredPackage): string | null | undefined {
  return (JSON.parse(packageText(stored)) as Package).description;
}

export interface BriefRequest {
  readonly principal: Principal;
  readonly projectId: string;
  readonly maxTokens: number;
  readonly session: Session;
}

export interface RelatedQuery {
  readonly projectId: string;
  readonly query: string;
  readonly limit: number;
}

export interface RelatedText {
  readonly kind: 'package' | 'fact';
  readonly id: string;
  readonly text: string;
  readonly score: number;
  /** Of a package. */
  readonly title?: string;
  readonly author?: Actor;
  readonly sessionId?: string | null;
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
  const questions = createQuestions(deps, depositDraft);
  const assertFact = createAssertFact(deps);
  const invalidateFact = createInvalidateFact(deps);
  const attach = createAttach(deps, assertFact);
  const sign = createSignDeposit(attach);
  const orient = createOrient(deps);
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
    brief: ({ principal, projectId, maxTokens, session }) =>
      orient.brief({
        principal,
        projectId,
        sessionId: session.sessionId,
        query: { max_tokens: maxTokens },
      }),
    async findRelated(principal, { projectId, query, limit }) {
      const found = await searchVisible(deps, principal, { query, project: projectId, limit });
      const told = async (hit: SearchHit) => {
        if (hit.best.field !== 'title') return hit.best.snippet;
        // A title alone says little.
        const stored = await deps.db.read((reader) => selectPackage(reader, hit.projectId, hit.id));
        return (stored && descriptionOf(stored)) || hit.best.snippet;
      };
      return Promise.all(
        found.map(async ({ hit, stored }) => ({
          kind: hit.collection === FACTS ? ('fact' as const) : ('package' as const),
          id: hit.id,
          text: await told(hit),
          score: hit.score,
          ...(stored && { title: stored.title, author: stored.author, sessionId: stored.sessionId }),
        })),
      );
    },
    ownDeposit: selectOwnOf,
    supersedeDeposit: (uow, { projectId, packageId, by }) => markSuperseded(uow, projectId, packageId, by),
    handlers: {
      ...createDescriptorHandlers(deps.settings.version, deps.hasher),
      ...createPackageHandlers({ ...deps, deposit, depositDraft, sign }),
      ...createFactHandlers(assertFact, invalidateFact, deps),
      ...createProjectHandlers(deps),
      ...createQuestionHandlers(deps, questions),
      ...createReviewHandlers(review, deps.hasher),
      ...createOrientHandlers(deps),
      ...createFeedHandlers(deps),
      ...createBlobHandlers(deps),
      ...createAttestHandlers(deps, attach),
      ...createTransferHandlers(deps, review.open),
      ...createCleanupHandlers(deps),
    },
  };
}
