import type { Micros } from '../../kernel/clock.ts';
import type { Reader } from '../storage/database.ts';
import { selectLiveCredentialsOf } from './credentials/credential-store.ts';
import { principalFrom } from './credentials/grant.ts';
import type { Principal } from './principal.ts';

/**
 * What an actor may do through credentials that the store knows, when nobody is asking: the ground on which they are told
 * something. Presence is never among it.
 */
export async function standingPrincipals(
  reader: Reader,
  actorId: string,
  now: Micros,
): Promise<readonly Principal[]> {
  const credentials = await selectLiveCredentialsOf(reader, actorId, now);
  return credentials.map((credential) =>
    principalFrom(
      credential,
      { kind: credential.kind, id: credential.credentialId },
      { owner: credential.kind === 'owner' },
    ),
  );
}
