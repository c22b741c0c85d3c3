import { defineErrors } from '../../kernel/error.ts';

export const identityErrors = defineErrors({
  unauthorized: {
    status: 401,
    message: 'The credential is missing or not accepted.',
    next: 'Send `Authorization: Bearer <key>`; the owner makes keys with `baton keys create`, and `baton whoami` tells which one is in use.',
  },
  ambiguous_credentials: {
    status: 400,
    message: 'The request carries two different credentials.',
    next: 'Send either `Authorization` or `X-API-Key`, not both.',
  },
  forbidden: {
    status: 403,
    message: 'This credential does not have the scope that the operation needs.',
    next: 'Use a key with the scope in `details.scope`; the owner makes one with `baton keys create --scopes …`.',
  },
  csrf_failed: {
    status: 403,
    message: 'The request has the dashboard cookie but not the token that belongs to it.',
    next: 'Send the `csrf_token` that `GET /v1/whoami` answers as the header `X-CSRF-Token`.',
  },
  presence_required: {
    status: 403,
    message: 'This needs a person at the keyboard, not only a key.',
    next: 'Decide it in the dashboard, or run `baton login` and enter the passphrase; it holds for 15 minutes.',
  },
  issuer_unavailable: {
    status: 503,
    message: 'The keys of the token issuer cannot be fetched.',
    next: 'Retry; if it goes on, check that the server reaches the configured JWKS address.',
    retryable: true,
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests.',
    next: 'Wait for the seconds in `Retry-After`.',
    retryable: true,
  },
  project_not_found: {
    status: 404,
    message: 'There is no such project, or this credential cannot see it.',
    next: 'List the projects you can see with `baton projects list`.',
  },
  project_archived: {
    status: 403,
    message: 'The project is archived.',
    next: 'Restore it with `baton projects restore <project>` first.',
  },
  invalid_project_id: {
    status: 400,
    message: 'A project id is 1 to 200 characters without control characters or outer spaces.',
    next: 'Choose another id.',
  },
  session_not_found: {
    status: 404,
    message: 'There is no such session, or this credential cannot see it.',
    next: 'List sessions with `GET /v1/sessions`, or start one.',
  },
  session_already_exists: {
    status: 409,
    message: 'A session with this id exists already.',
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
    message: 'This is the standing session of an actor; it does not end.',
    next: 'Start a session of your own for work that has an end.',
  },
  invalid_session_id: {
    status: 400,
    message: 'A session id has the form of a UUID.',
    next: 'Send 8-4-4-4-12 hexadecimal digits, or leave the id out to get a new one.',
  },
  actor_type_conflict: {
    status: 409,
    message: 'An actor with this id exists with another type.',
    next: 'Choose another actor id, or use the type in `details.type`.',
  },
  key_not_found: {
    status: 404,
    message: 'There is no such key.',
    next: 'List the keys with `baton keys list`.',
  },
  certificate_bound: {
    status: 409,
    message: 'This certificate is bound to an actor already.',
    next: 'Revoke the binding in `details.key_id` first.',
  },
  invalid_grant: {
    status: 400,
    message: 'The key cannot be made like this.',
    next: 'Correct the field that `pointer` names; `GET /openapi.json` lists the scopes.',
  },
  grant_too_wide: {
    status: 403,
    message: 'A credential can only make others that may do no more than itself.',
    next: 'Ask for fewer scopes or projects, or let the owner make the key.',
  },
  login_link_invalid: {
    status: 401,
    message: 'The link is used, too old or not one of ours.',
    next: 'Make a new one with `baton open`; it works once, for five minutes.',
  },
  passphrase_wrong: {
    status: 401,
    message: 'The passphrase is not accepted.',
    next: 'Try again, or set one with `PUT /v1/passphrase` if none is set yet.',
  },
  passphrase_weak: {
    status: 400,
    message: 'A passphrase has at least ten characters.',
    next: 'Choose a longer one; a few unrelated words do well.',
  },
  owner_key_stays: {
    status: 409,
    message: 'The owner key cannot be revoked, only replaced.',
    next: 'Make a new one with `baton keys renew-owner`, which ends the old one.',
  },
  owner_key_lost: {
    status: 500,
    message: 'The owner key file is missing or does not hold the key of this store.',
    next: 'Put the file back, or make a new owner key with `baton keys renew-owner`, which ends the old one.',
  },
});
