import type { Handlers } from '../../spine/operations/handler.ts';
import { createAttach } from './attest/attach.ts';
import { createAttestHandlers } from './attest/handlers.ts';
import { createSignDeposit } from './attest/signed-deposit.ts';
import { createBlobHandlers } from './blobs/handlers.ts';
import type { ContextParts } from './context.ts';
import { createDescriptorHandlers } from './descriptor/handlers.ts';
import { createFacts } from './facts/assert.ts';
import { createFactHandlers } from './facts/handlers.ts';
import { createFeedHandlers } from './feed/handlers.ts';
import { createLedger } from './ledger.ts';
import type { contextOperations } from './operations.ts';
import { createOrientHandlers } from './orient/handlers.ts';
import { createDeposit } from './packages/deposit.ts';
import { createPackageHandlers } from './packages/handlers.ts';
import type { packageOperations } from './packages/operations.ts';
import { createProjectHandlers } from './projects/handlers.ts';
import { createReviewHandlers } from './review/handlers.ts';
import { createReview } from './review/review.ts';
import { createTransferHandlers } from './transfer/handlers.ts';

export interface Context {
  readonly handlers: Handlers<typeof contextOperations>;
  /** For what Baton itself deposits, which nobody signs. */
  readonly depositOwn: Handlers<typeof packageOperations>['packages.write'];
}

export function createContext(parts: ContextParts): Context {
  const record = createLedger(parts);
  const review = createReview(parts, record);
  const deposit = createDeposit(parts, record, review.open);
  const facts = createFacts(parts, record);
  const attach = createAttach(parts, facts, record);
  const unsigned = createPackageHandlers(parts, deposit, record, async () => undefined);
  return {
    depositOwn: unsigned['packages.write'],
    handlers: {
      ...createDescriptorHandlers(parts.settings.version, parts.hasher),
      ...createPackageHandlers(parts, deposit, record, createSignDeposit(attach)),
      ...createFactHandlers(facts, parts.hasher),
      ...createProjectHandlers(parts),
      ...createReviewHandlers(review, parts.hasher),
      ...createOrientHandlers(parts, record),
      ...createFeedHandlers(parts),
      ...createBlobHandlers(parts, record),
      ...createAttestHandlers(parts, attach),
      ...createTransferHandlers(parts, record, review.open),
    },
  };
}
