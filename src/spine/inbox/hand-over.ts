import type { Clock } from '../../kernel/clock.ts';
import { canSeeProject } from '../identity/access.ts';
import { selectActor } from '../identity/credentials/actor-store.ts';
import { selectLiveCredentialsOf } from '../identity/credentials/credential-store.ts';
import { principalFrom } from '../identity/credentials/grant.ts';
import { insider } from '../identity/on-behalf.ts';
import type { Actor } from '../identity/principal.ts';
import type { Reader } from '../storage/database.ts';
import { inboxErrors } from './errors.ts';
import type { Inbox } from './inbox.ts';
import type { InboxItem } from './item.ts';
import { deciderFault } from './rules.ts';
import { decides } from './who-looks.ts';

/**
 * The person that is named, if they could decide the item themselves: nobody's word is widened by being handed something.
 * Of people who sign in elsewhere no credential is kept here, so that only what the item says is known of them.
 */
export async function requireTaker(
  reader: Reader,
  { inbox, clock }: { readonly inbox: Inbox; readonly clock: Clock },
  item: InboxItem,
  { from, to: actorId }: { readonly from: Actor; readonly to: string },
): Promise<Actor> {
  const refuse = (why: string) =>
    inboxErrors.cannot_hand_over({ pointer: '/to', details: { to: actorId, reason: why } });
  if (actorId === from.id) throw refuse('yourself');
  const actor = await selectActor(reader, actorId);
  if (actor?.type !== 'human') throw refuse('unknown_person');
  const credentials = await selectLiveCredentialsOf(reader, actorId, clock.now());
  if (credentials.length === 0) {
    const fault = deciderFault(item, insider({ actor, projectId: item.projectId }));
    if (fault) throw refuse(fault.code);
    return actor;
  }
  let first: string | undefined;
  for (const credential of credentials) {
    const { kind, credentialId } = credential;
    const as = principalFrom(credential, { kind, id: credentialId }, { owner: kind === 'owner' });
    const fault =
      canSeeProject(as, item.projectId) && decides(as) ? await inbox.refusal(reader, item, as) : 'forbidden';
    if (fault === undefined) return actor;
    first ??= fault === 'forbidden' ? fault : fault.code;
  }
  throw refuse(first ?? 'forbidden');
}
