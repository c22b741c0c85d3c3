import type { Fault } from '../../kernel/error.ts';
import { mayActAs } from './access.ts';
import { identityErrors } from './errors.ts';
import type { Principal } from './principal.ts';

/** What whoever names an actor that is neither theirs nor one they speak for is told, on every wire. */
export function voiceFault({ actor, speaksFor }: Principal, named: string, pointer: string): Fault {
  return {
    message: `The credential is for ${actor.type} ${actor.id} and does not speak for ${named}.`,
    next: 'Name the credential’s own actor, or use a key whose `speaks_for` covers the one you name; a person who is present creates it with `baton keys create --speaks-for`.',
    pointer,
    details: { actor: { id: actor.id, type: actor.type }, speaks_for: [...speaksFor], named },
  };
}

/** A name in a request of whoever acts: the credential's own actor, or one that it speaks for. Never rewritten. */
export function requireVoice(principal: Principal, named: string, pointer: string): void {
  if (!mayActAs(principal, named)) {
    throw identityErrors.actor_not_yours(voiceFault(principal, named, pointer));
  }
}
