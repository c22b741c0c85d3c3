import type { Micros } from '../../kernel/clock.ts';
import { isOwner } from './access.ts';
import { identityErrors } from './errors.ts';
import type { Actor, Principal } from './principal.ts';

/*
 * Who needs presence for what, in one place:
 *
 * | what                                              | what it takes                                              |
 * |---------------------------------------------------|------------------------------------------------------------|
 * | deciding an item of `PRESENCE_RISKS`              | presence                                                   |
 * | the first passphrase or passkey of a person       | that person's own credential; for the owner, the owner's   |
 * | another passkey, or removing one                  | presence                                                   |
 * | changing the passphrase                           | the current one, or presence                               |
 * | a key for a person, made by somebody who has set  | presence                                                   |
 * | up a passphrase or passkey                        |                                                            |
 * | a key that speaks for others                      | presence (`keys/grant-rules.ts`)                           |
 *
 * Presence is the passphrase or a passkey within `PRESENCE`. No link, cookie or key is presence: an agent with a shell
 * can hold all three.
 */

/** How long a proof holds. */
export const PRESENCE: Micros = 15 * 60_000_000;

/** Risks of an inbox item that only a present person decides. */
export const PRESENCE_RISKS = ['high', 'critical'] as const;

/** What a person has set up to prove presence with. */
export interface Factors {
  readonly passphrase: boolean;
  readonly passkeys: number;
}

export function hasFactor({ passphrase, passkeys }: Factors): boolean {
  return passphrase || passkeys > 0;
}

/** Only people are present: an agent's credential sets up nothing and proves nothing, whatever its scopes. */
export function requirePerson({ actor }: Principal): void {
  if (actor.type !== 'human') {
    throw identityErrors.presence_required({
      message: 'Only a person can prove presence; this credential is not a person’s.',
      next: 'Use a person’s credential.',
    });
  }
}

export function requirePresence(by: Principal, factors: Factors): void {
  requirePerson(by);
  if (by.present) return;
  throw hasFactor(factors)
    ? identityErrors.presence_required()
    : identityErrors.presence_required({
        message:
          'This needs proof that a person is present, and you have set neither a passphrase nor a passkey.',
        next: 'Set a passphrase with `baton passphrase`, or add a passkey in the dashboard’s settings; then try again.',
      });
}

/**
 * Whether a passphrase or passkey may be set up now. The first one has nothing before it that could prove the person,
 * so the credential has to do; for the owner's name only the owner's own, because any issuer of tokens could use it.
 * `proved`: by the current passphrase, in the same request.
 */
export function requireMayEnrol(by: Principal, factors: Factors, owner: Actor, proved: boolean): void {
  requirePerson(by);
  if (by.actor.id === owner.id && !isOwner(by)) {
    throw identityErrors.forbidden({
      message: 'Only the owner’s own credential sets up how the owner proves presence.',
      next: 'Use the owner key, or a dashboard session opened with it.',
    });
  }
  if (hasFactor(factors) && !proved) requirePresence(by, factors);
}

/**
 * Whoever makes a new person's key could set that person's first passphrase with it, so that presence would be worth no
 * more than the maker's key.
 */
export function requireMayMakePerson(by: Principal, factors: Factors): void {
  if (hasFactor(factors)) requirePresence(by, factors);
}
