import type { Clock, Micros } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Handlers } from '../../operations/handler.ts';
import type { Database } from '../../storage/database.ts';
import { invitationPagePath } from '../credentials/token.ts';
import type { Identity } from '../identity.ts';
import { setSessionCookie } from '../logins/cookie.ts';
import { roles } from '../roles.ts';
import type { Invitation } from './invitation-store.ts';
import { isOpen } from './invitations.ts';
import type { invitationOperations } from './operations.ts';
import type { invitationSchema } from './schema.ts';

const HOUR: Micros = 3_600_000_000;
const DEFAULT_HOURS = 72;
const LISTED = 200;

export function createInvitationHandlers(
  db: Database,
  identity: Pick<Identity, 'invitations' | 'cookies'>,
  clock: Clock,
): Handlers<typeof invitationOperations> {
  const { invitations, cookies } = identity;
  return {
    'invitations.create': async (uow, { input: { body }, principal }) => {
      const projects = body.projects ?? [principal.defaultProject];
      const all = projects.length === 1 && projects[0] === '*';
      const { invitation, secret } = await invitations.invite(uow, principal, {
        grant: {
          actor: { id: body.actor_id, type: 'human' },
          scopes: roles[body.role ?? 'human'],
          projects: all ? 'all' : projects,
          defaultProject: all ? principal.defaultProject : (projects[0] ?? principal.defaultProject),
          speaksFor: [],
        },
        displayName: body.display_name ?? body.actor_id,
        lifetime: (body.hours ?? DEFAULT_HOURS) * HOUR,
      });
      return {
        body: {
          ...shown(invitation, clock.now()),
          invitation: secret,
          path: invitationPagePath(secret),
        },
      };
    },

    'invitations.list': async (reader, { principal }) => {
      const found = await invitations.list(reader, principal, LISTED);
      return { body: { invitations: found.map((each) => shown(each, clock.now())) } };
    },

    'invitations.revoke': async (uow, { input: { path }, principal }) => ({
      body: shown(await invitations.revoke(uow, principal, path.invitation_id), clock.now()),
    }),

    'invitations.look': async ({ input: { body } }) => {
      const invitation = await db.read((reader) => invitations.look(reader, body.invitation));
      const { actor_id, display_name, scopes, projects, invited_by, expires_at } = shown(
        invitation,
        clock.now(),
      );
      return {
        body: { actor_id, display_name, scopes, projects, invited_by, expires_at },
        headers: { 'cache-control': 'no-store' },
      };
    },

    'invitations.accept': async ({ input: { body } }) => {
      const { login, cookie, token } = await invitations.accept(body.invitation, body.passphrase);
      return {
        body: { csrf_token: login.csrfToken ?? '', expires_at: formatMicros(login.expiresMicros), token },
        headers: { 'set-cookie': setSessionCookie(cookies, cookie), 'cache-control': 'no-store' },
      };
    },
  };
}

function shown(invitation: Invitation, now: Micros): (typeof invitationSchema)['_output'] {
  const { state, projects } = invitation;
  return {
    invitation_id: invitation.invitationId,
    actor_id: invitation.actor.id,
    display_name: invitation.displayName,
    scopes: [...invitation.scopes],
    projects: projects === 'all' ? ['*'] : [...projects],
    invited_by: invitation.invitedBy,
    created_at: formatMicros(invitation.createdMicros),
    expires_at: formatMicros(invitation.expiresMicros),
    state: state === 'open' && !isOpen(invitation, now) ? 'expired' : state,
  };
}
