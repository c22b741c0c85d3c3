import { isActorId } from '../../../kernel/actor-id.ts';
import type { Clock, Micros, Random } from '../../../kernel/clock.ts';
import { BatonError } from '../../../kernel/error.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import type { Database, Reader, UnitOfWork } from '../../storage/database.ts';
import { canSeeProject } from '../access.ts';
import { selectActor } from '../credentials/actor-store.ts';
import { type Grant, principalFrom } from '../credentials/grant.ts';
import { hashSecret, newSecret } from '../credentials/secret.ts';
import { standingSource } from '../credentials/standing.ts';
import { formatInvitation, readInvitation } from '../credentials/token.ts';
import { identityErrors } from '../errors.ts';
import { requireNarrower, requirePersonFor, requireSoundGrant } from '../keys/grant-rules.ts';
import type { Keys } from '../keys/keys.ts';
import type { RecordEvent } from '../ledger.ts';
import type { Limiter } from '../limits/limiter.ts';
import { type Login, replacePassphrase } from '../logins/login-store.ts';
import type { Logins } from '../logins/logins.ts';
import { selectFactors } from '../logins/passkey-store.ts';
import { hashPassphrase, isStrongEnough } from '../logins/passphrase.ts';
import { requirePresence } from '../presence-rules.ts';
import type { Principal } from '../principal.ts';
import { requireStoredProject } from '../projects/project-store.ts';
import { standingPrincipals } from '../standing-principals.ts';
import {
  type Invitation,
  insertInvitation,
  markAccepted,
  markInvitationRevoked,
  revokeExpired,
  selectInvitation,
  selectInvitationBySecret,
  selectInvitations,
} from './invitation-store.ts';

export interface NewInvitation {
  readonly grant: Grant;
  readonly displayName: string;
  readonly lifetime: Micros;
}

export interface Accepted {
  readonly login: Login;
  /** The secret of the session's cookie. */
  readonly cookie: string;
  /** The person's own key, answered once. */
  readonly token: string;
}

export interface Invitations {
  /** By a present person who could make such a key. The link is answered once and kept nowhere. */
  invite(
    uow: UnitOfWork,
    by: Principal,
    wanted: NewInvitation,
  ): Promise<{ readonly invitation: Invitation; readonly secret: string }>;
  list(reader: Reader, by: Principal, limit: number): Promise<Invitation[]>;
  revoke(uow: UnitOfWork, by: Principal, invitationId: string): Promise<Invitation>;
  /** What a link offers. One that was used, revoked, expired or invented is refused in the same words. */
  look(reader: Reader, text: string): Promise<Invitation>;
  /** Makes the person, their key and a session of theirs, once. */
  accept(text: string, passphrase: string | undefined): Promise<Accepted>;
}

export interface InvitationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly record: RecordEvent;
  readonly limiter: Limiter;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly passphraseCost: number | undefined;
}

/** Each try with a link that is open may hash a passphrase, which is as expensive as it is meant to be. */
const ATTEMPTS = { limit: 10, windowSeconds: 900 };

export function createInvitations(deps: InvitationDeps): Invitations {
  const { db, clock, random, hasher, record, limiter, keys, logins, passphraseCost } = deps;

  async function open(reader: Reader, text: string): Promise<Invitation> {
    const secret = readInvitation(text);
    const found =
      secret === undefined ? undefined : await selectInvitationBySecret(reader, hashSecret(hasher, secret));
    if (!found || !isOpen(found, clock.now())) throw identityErrors.invitation_invalid();
    return found;
  }

  /** With what whoever invited holds now: an invitation is worth no more than its author. */
  async function makeKey(uow: UnitOfWork, invitation: Invitation) {
    for (const principal of await standingPrincipals(uow, invitation.invitedBy, clock.now())) {
      try {
        const author = { ...principal, present: true };
        const { actor, scopes, projects, defaultProject, displayName } = invitation;
        return await keys.createKey(uow, author, {
          actor,
          scopes,
          projects,
          defaultProject,
          displayName,
          label: 'from an invitation',
        });
      } catch (error) {
        if (!(error instanceof BatonError)) throw error;
      }
    }
    throw identityErrors.invitation_invalid();
  }

  return {
    async invite(uow, by, { grant, displayName, lifetime }) {
      requirePresence(by, await selectFactors(uow, by.actor.id));
      requireSoundGrant(grant);
      requireNarrower(by, grant);
      requirePersonFor(by, grant);
      if (!isActorId(grant.actor.id)) throw identityErrors.invalid_actor_id({ pointer: '/actor_id' });
      if (await selectActor(uow, grant.actor.id)) throw identityErrors.actor_taken({ pointer: '/actor_id' });
      for (const projectId of grant.projects === 'all' ? [] : grant.projects) {
        await requireStoredProject(uow, projectId);
      }
      const now = clock.now();
      await standingSource(uow, by, now);
      const secret = newSecret(random);
      const invitation: Invitation = {
        ...grant,
        invitationId: prefixedId('inv', random),
        secretHash: hashSecret(hasher, secret),
        displayName,
        invitedBy: by.actor.id,
        createdMicros: now,
        expiresMicros: now + lifetime,
        state: 'open',
        endedMicros: null,
      };
      await revokeExpired(uow, grant.actor.id, now);
      if (!(await insertInvitation(uow, invitation))) {
        throw identityErrors.actor_taken({
          message: 'An invitation for this person is open already.',
          pointer: '/actor_id',
        });
      }
      await note(uow, by, 'invitation.created', invitation);
      return { invitation, secret: formatInvitation(secret) };
    },

    async list(reader, by, limit) {
      return (await selectInvitations(reader, limit)).filter((each) => maySee(by, each));
    },

    async revoke(uow, by, invitationId) {
      const found = await selectInvitation(uow, invitationId);
      if (!found || !maySee(by, found)) throw identityErrors.invitation_not_found();
      const now = clock.now();
      if (!(await markInvitationRevoked(uow, invitationId, now))) return found;
      await note(uow, by, 'invitation.revoked', found);
      return { ...found, state: 'revoked', endedMicros: now };
    },

    look: open,

    async accept(text, passphrase) {
      if (passphrase !== undefined && !isStrongEnough(passphrase)) {
        throw identityErrors.passphrase_weak({ pointer: '/passphrase' });
      }
      // Looked at before the expensive part, so that an invented link costs nothing.
      const { invitationId } = await db.read((reader) => open(reader, text));
      const attempt = await limiter.take(`invitation:${invitationId}`, ATTEMPTS);
      if (!attempt.granted) {
        throw identityErrors.rate_limited({ retryAfterSeconds: attempt.retryAfterSeconds });
      }
      const hash =
        passphrase === undefined ? undefined : await hashPassphrase(random, passphrase, passphraseCost);
      return db.write(async (uow) => {
        const invitation = await open(uow, text);
        const now = clock.now();
        if (!(await markAccepted(uow, invitation.invitationId, now))) {
          throw identityErrors.invitation_invalid();
        }
        if (await selectActor(uow, invitation.actor.id)) throw identityErrors.invitation_invalid();
        const { credential, token } = await makeKey(uow, invitation);
        const person = principalFrom(credential, { kind: 'key', id: credential.credentialId });
        await note(uow, person, 'invitation.accepted', invitation);
        if (hash) {
          await replacePassphrase(uow, person.actor.id, undefined, hash, now);
          const payload = { actor_id: person.actor.id, first: true };
          await record(uow, {
            projectId: person.defaultProject,
            actor: person.actor,
            type: 'passphrase.set',
            payload,
          });
        }
        const { link } = await logins.createLink(uow, person);
        const { login, cookie } = await logins.openDashboard(uow, link);
        return { login, cookie, token: token ?? '' };
      });
    },
  };

  async function note(
    uow: UnitOfWork,
    by: Principal,
    type: string,
    { invitationId, actor, invitedBy, defaultProject }: Invitation,
  ): Promise<void> {
    const payload = { invitation_id: invitationId, person: actor.id, invited_by: invitedBy };
    await record(uow, { projectId: defaultProject, actor: by.actor, type, payload });
  }
}

export function isOpen(invitation: Invitation, now: Micros): boolean {
  return invitation.state === 'open' && now < invitation.expiresMicros;
}

/** Whoever sees all projects that it opens, as with keys. */
function maySee(by: Principal, { projects }: Invitation): boolean {
  if (projects === 'all') return by.projects === 'all';
  return projects.every((projectId) => canSeeProject(by, projectId));
}
