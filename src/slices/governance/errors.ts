import { defineErrors } from '../../kernel/error.ts';

/** CRA's wire writes these codes in upper case. */
export const governanceErrors = defineErrors({
  invalid_carp_request: {
    status: 400,
    message: 'The CARP request does not match its schema.',
    next: 'Correct the field that `pointer` names; GET /v1/schemas/carp-request has the schema.',
  },
  invalid_atlas_manifest: {
    status: 400,
    message: 'The Atlas manifest does not match its schema.',
    next: 'Correct the field that `pointer` names, or run `baton atlas lint`; GET /v1/schemas/atlas-manifest has the schema.',
  },
  atlas_load_error: {
    status: 400,
    message: 'The Atlas cannot be loaded.',
    next: 'Run `baton atlas lint` on the directory; details name the file.',
  },
  atlas_dependency_missing: {
    status: 409,
    message: 'The Atlas depends on another that is not loaded in a matching version.',
    next: 'Load the dependency that `details` names first.',
  },
  atlas_in_use: {
    status: 409,
    message: 'Another loaded Atlas depends on this one.',
    next: 'Unload the Atlas that `details` names first, or load a version of it that fits.',
  },
  guardrail_protected: {
    status: 403,
    message: 'This Atlas is a guardrail of the project, and only a person changes those.',
    next: 'Ask a person to load or unload it: `baton atlas load PATH --guardrail`.',
  },
  atlas_already_loaded: {
    status: 409,
    message: 'This version of the Atlas is already loaded.',
    next: 'Load a new version, or unload this one first.',
  },
  version_too_small: {
    status: 409,
    message: 'The version number is too small a step for what changes.',
    next: 'Raise the version as `baton atlas diff OLD NEW` says, and load it again.',
  },
  action_conflict: {
    status: 409,
    message: 'Another loaded Atlas defines an action with this id.',
    next: 'Rename the action, or unload the other Atlas that `details` names.',
  },
  atlas_not_found: {
    status: 404,
    message: 'No Atlas with this id is loaded.',
    next: 'List the loaded ones with GET /v1/atlases.',
  },
  invalid_edits: {
    status: 400,
    message: 'The edits of an approval are the parameters to approve instead, all of them.',
    next: 'Send `{"parameters": {…}}`, with the parameters that you leave as they are.',
  },
  edits_cover_one_call: {
    status: 400,
    message: 'Edited parameters are approved for one call.',
    next: 'Leave `choice` out, or approve the session or rule without edits.',
  },
  invalid_moment: {
    status: 400,
    message: 'This is no moment.',
    next: 'Give an instant (2026-01-31T00:00:00Z), a day (2026-01-31), or how long ago (7d, 12h, 30m).',
  },
  atlas_changed: {
    status: 409,
    message: 'Another version of the Atlas is in force than the one that the call was to be decided by.',
    next: 'Resolve again, and execute with that resolution.',
    retryable: true,
  },
  atlas_signature_invalid: {
    status: 422,
    message: 'The Atlas package is not what was signed.',
    next: 'Get the package again from its author, and check that the public key is theirs.',
  },
  duplicate_request: {
    status: 409,
    message: 'This session has already made a request with this request_id.',
    next: 'Send a new request_id; to repeat an execution safely, use execution.idempotency_key.',
  },
  clock_skew: {
    status: 400,
    message: 'The timestamp is more than five minutes from the server clock.',
    next: 'Correct the clock, and stamp the request when it is sent.',
  },
  resolution_not_found: {
    status: 404,
    message: 'There is no such resolution in this session.',
    next: 'Resolve first, and use the resolution_id that comes back.',
  },
  resolution_expired: {
    status: 410,
    message: 'The resolution has expired.',
    next: 'Resolve again.',
    retryable: true,
  },
  action_denied: {
    status: 403,
    message: 'The action is denied.',
    next: 'See `details.policy_id` for the rule; POST /v1/explain says why it decided.',
  },
  action_not_found: {
    status: 404,
    message: 'No loaded Atlas defines this action.',
    next: 'Resolve again: the Atlas was unloaded or changed.',
  },
  invalid_parameters: {
    status: 400,
    message: 'The parameters do not match the schema of the action.',
    next: 'Correct the parameter that `pointer` names; the resolution has the schema.',
  },
  rate_limit_exceeded: {
    status: 429,
    message: 'A limit on this action is used up.',
    next: 'Wait for the seconds in `Retry-After`.',
    retryable: true,
  },
  budget_exceeded: {
    status: 403,
    message: 'The budget for this action is used up.',
    next: 'Ask the owner of the Atlas to raise the limit, or wait for its window.',
  },
  action_requires_approval: {
    status: 423,
    message: 'A person must approve this action first.',
    next: 'Wait for every approval in `details.approvals`, then execute the same call again.',
    retryable: true,
  },
  execution_in_progress: {
    status: 409,
    message: 'An execution with this idempotency key is still running.',
    next: 'Try again in a moment; the same key will get its answer.',
    retryable: true,
  },
  idempotency_conflict: {
    status: 409,
    message: 'This idempotency key was used with other parameters of this action.',
    next: 'Send a new key for a new execution.',
  },
  executor_not_found: {
    status: 502,
    message: 'The action names an executor that this server does not have.',
    next: 'Register the executor, or give the action an http(s) address.',
  },
  execution_error: {
    status: 502,
    message: 'The executor failed.',
    next: 'See `details` for what it answered.',
  },
  upstream_unavailable: {
    status: 503,
    message: 'The MCP server behind the gateway is not available.',
    next: 'Go on elsewhere and repeat the call later: it is started again by itself.',
    retryable: true,
  },
  gateway_change_not_found: {
    status: 404,
    message: 'Nothing is known of this change of a gateway.',
    next: 'Start the gateway again: it asks about what it finds.',
  },
  approval_not_found: {
    status: 404,
    message: 'There is no such approval.',
    next: 'List the approvals with GET /v1/approvals.',
  },
  standing_answer_not_found: {
    status: 404,
    message: 'Your decisions suggest no such rule, or no longer do.',
    next: 'List what they suggest with GET /v1/standing-answers.',
  },
  approval_outdated: {
    status: 409,
    message: 'The Atlas has changed since this was asked, so approving it would allow nothing.',
    next: 'Reject it, or let it expire; the agent asks again under the rules in force when it executes.',
  },
  grant_not_found: {
    status: 404,
    message: 'This approval grants nothing that could be revoked.',
    next: 'List what has been granted with GET /v1/grants or `baton approvals grants`.',
  },
  approver_mismatch: {
    status: 403,
    message: 'The approver in the body is not the actor of the credential.',
    next: 'Leave `approver` out, or use the credential of the person who decides.',
  },
  replay_error: {
    status: 422,
    message: 'The trace cannot be replayed.',
    next: 'Give the inputs file and the Atlas of the digest in `details`.',
  },
  schema_not_found: {
    status: 404,
    message: 'There is no schema with this name.',
    next: 'Use carp-request, carp-resolution, trace-event or atlas-manifest.',
  },
});
