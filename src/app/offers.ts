import type { Actor } from '../identity/principal.ts';
import type { UnitOfWork } from '../storage/database.ts';

/** On whose behalf a slice asks another one, and where. */
export interface Behalf {
  readonly projectId: string;
  readonly actor: Actor;
}

/**
 * What slices do for those that are composed after them. Whatever takes the unit of work commits with it; nobody knows
 * whose code it is.
 */
export interface Offers {
  /** Deposits a package of which what has one sensible value is filled in. */
  deposit(uow: UnitOfWork, by: Behalf, draft: Readonly<Record<string, unknown>>): Promise<void>;
  /** Makes a fact current. */
  assertFact(uow: UnitOfWork, by: Behalf, fact: Readonly<Record<string, unknown>>): Promise<void>;
  /** Ends a fact without a successor. */
  retractFact(
    uow: UnitOfWork,
    by: Behalf,
    key: { readonly subject: string; readonly predicate: string },
  ): Promise<void>;
  /** Whether policy allows a goal. `session` names the work that it belongs to, so that an approval is found again. */
  resolve(
    by: Behalf,
    question: { readonly session: string; readonly goal: string },
  ): Promise<{ readonly allowed: boolean; readonly reason: string }>;
}

/** Fails when the process is put together, not at the first use. */
export function needed<Name extends keyof Offers>(offers: Partial<Offers>, name: Name): Offers[Name] {
  const offer = offers[name];
  if (offer === undefined) throw new Error(`no slice before this one offers ${name}`);
  return offer;
}
