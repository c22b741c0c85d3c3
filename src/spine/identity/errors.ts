import { ACTOR_ID_RULE } from '../../kernel/actor-id.ts';
import { defineErrors } from '../../kernel/error.ts';

export const identityErrors = defineErrors({
  unauthorized: {
    status: 401,
    message: 'The credential is missing or not accepted.',
    next: 'Send `Authorization: Bearer <key>`; the owner creates keys with `baton keys create`, and `baton whoami` shows which one is in use.',
  },
  ambiguous_credentials: {
    status: 400,
    message: 'The request carries two different credentials.',
    next: 'Send either `Authorization` or `X-API-Key`, not both.',
  },
  forbidden: {
    status: 403,
    message: 'This credential does not have the scope that the operation needs.',
    next: 'Use a key with the scope in `details.scope`; the owner creates one with `baton keys create --scopes …`.',
  },
  oauth_grant_not_found: {
    status: 404,
    message: 'No client was let in under this id.',
    next: 'List them with `baton oauth list`.',
  },
  oauth_elsewhere: {
    status: 404,
    message: 'Another authorization server lets clients in.',
    next: 'Ask the one that `details.issuer` names.',
  },
  actor_not_yours: {
    status: 403,
    message: 'The request names an actor that the credential neither is nor speaks for.',
    next: 'Leave the name out, or use a key whose `speaks_for` covers it.',
  },
  csrf_failed: {
    status: 403,
    message: 'The request has the dashboard cookie but not its CSRF token.',
    next: 'Send the `csrf_token` that opening the session gave in the `X-CSRF-Token` header; if it is lost, sign in again with `baton open`.',
  },
  presence_required: {
    status: 403,
    message: 'This needs proof that a person is present, not just a key or a session.',
    next: 'Use the passkey or passphrase in the dashboard, or run `baton login`; the proof is valid for 15 minutes. If you have neither, set a passphrase with `baton passphrase`.',
  },
  issuer_unavailable: {
    status: 503,
    message: 'The keys of the token issuer cannot be fetched.',
    next: 'Retry; if it keeps failing, check that the server can reach the configured JWKS address.',
    retryable: true,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    next: 'Wait for the number of seconds in `Retry-After`.',
    retryable: true,
  },
  quota_exceeded: {
    status: 429,
    message: 'This credential has had as much stored as it may in a day.',
    next: 'Wait for the number of seconds in `Retry-After`, or ask the operator to raise the quota that `details` names.',
    retryable: true,
  },
  project_not_found: {
    status: 404,
    message: 'There is no such project, or this credential cannot see it.',
    next: 'List the projects you can see with `baton projects list`, or make it with `baton projects create`.',
  },
  project_archived: {
    status: 403,
    message: 'The project is archived.',
    next: 'Restore it with `baton projects restore <project>` first.',
  },
  invalid_project_id: {
    status: 400,
    message:
      'A project id has 1 to 200 characters in NFC, none of them hidden, and no leading or trailing spaces.',
    next: 'Choose another id.',
  },
  invalid_actor_id: {
    status: 400,
    message: `An actor id ${ACTOR_ID_RULE}.`,
    next: 'Choose another id; a display name may be any text.',
  },
  session_not_found: {
    status: 404,
    message: 'There is no such session, or this credential cannot see it.',
    next: 'List sessions with `GET /v1/sessions`, or start one.',
  },
  session_already_exists: {
    status: 409,
    message: 'A session with this id already exists.',
    next: 'Use the existing session, or leave the id out to get a new one.',
  },
  session_already_ended: {
    status: 409,
    message: 'The session has ended.',
    next: 'Start a new session.',
  },
  session_not_owned: {
    status: 403,
    message: 'The session belongs to another actor.',
    next: 'Use a session that this credential started.',
  },
  session_stands: {
    status: 409,
    message: 'This is an actor’s standing session, which never ends.',
    next: 'Start a separate session for work that has an end.',
  },
  invalid_session_id: {
    status: 400,
    message: 'A session id must be a UUID.',
    next: 'Send 8-4-4-4-12 hexadecimal digits, or leave the id out to get a new one.',
  },
  actor_type_conflict: {
    status: 409,
    message: 'An actor with this id already exists with a different type.',
    next: 'Choose another actor id, or use the type in `details.type`.',
  },
  key_not_found: {
    status: 404,
    message: 'There is no such key.',
    next: 'List the keys with `baton keys list`.',
  },
  certificate_bound: {
    status: 409,
    message: 'This certificate is already bound to an actor.',
    next: 'Revoke the binding in `details.key_id` first.',
  },
  invalid_grant: {
    status: 400,
    message: 'A key with these properties cannot be created.',
    next: 'Correct the field that `pointer` names; `GET /openapi.json` lists the scopes.',
  },
  grant_too_wide: {
    status: 403,
    message: 'A key can create other keys only with the same or fewer permissions.',
    next: 'Request fewer scopes or projects, or have the owner create the key.',
  },
  login_link_invalid: {
    status: 401,
    message: 'The link is invalid, expired or already used.',
    next: 'Create a new one with `baton open`; it works once, within five minutes.',
  },
  invitation_invalid: {
    status: 401,
    message: 'The invitation is invalid, expired, revoked or already used.',
    next: 'Ask whoever invited you for a new link; it works once.',
  },
  invitation_not_found: {
    status: 404,
    message: 'There is no such invitation.',
    next: 'List them with `baton invitations`.',
  },
  actor_taken: {
    status: 409,
    message: 'There is an actor with this id already.',
    next: 'Choose another id; somebody who is here already gets a key with `baton keys create`.',
  },
  passphrase_wrong: {
    status: 401,
    message: 'The passphrase is wrong.',
    next: 'Try again. If none is set yet, set one with `baton passphrase`; if it is lost, run `baton passphrase reset` on the machine itself.',
  },
  passphrase_weak: {
    status: 400,
    message: 'A passphrase needs at least ten characters.',
    next: 'Choose a longer one; a few unrelated words work well.',
  },
  person_not_found: {
    status: 404,
    message: 'There is no person with this name.',
    next: 'Name the actor of a person; the keys that `baton keys list` shows have theirs.',
  },
  passkey_refused: {
    status: 401,
    message: 'The passkey was not accepted.',
    next: 'Try again from the dashboard; every attempt needs a new challenge.',
  },
  passkey_unavailable: {
    status: 409,
    message: 'Passkeys work only in a dashboard that is opened by a host name, not by an IP address.',
    next: 'Open the dashboard with `baton open`, which uses `localhost`; in a terminal, use the passphrase.',
  },
  passkey_not_found: {
    status: 404,
    message: 'There is no such passkey.',
    next: 'Add one in the dashboard’s settings, or use the passphrase.',
  },
  too_many_passkeys: {
    status: 409,
    message: 'You already have 20 passkeys.',
    next: 'Remove one first.',
  },
  last_passkey_stays: {
    status: 409,
    message: 'This passkey is the only way you can prove presence.',
    next: 'Set a passphrase or add another passkey first.',
  },
  owner_key_stays: {
    status: 409,
    message: 'The owner key cannot be revoked, only replaced.',
    next: 'Create a new one with `baton keys renew-owner`, which revokes the old one.',
  },
  owner_key_lost: {
    status: 500,
    message: 'The owner key file is missing or does not contain this store’s key.',
    next: 'Restore the file, or create a new owner key with `baton keys renew-owner`, which revokes the old one.',
  },
});
