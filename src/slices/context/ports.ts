import type { UnitOfWork } from '../../spine/storage/database.ts';

/** What this slice needs of the rest of the product. */
export interface ContextPorts {
  /** Deletes the answers, kept for idempotency keys, that repeat this package. */
  forgetAnswers(
    uow: UnitOfWork,
    about: { readonly packageId: string; readonly bodyHash: string },
  ): Promise<void>;
}
