import { type BatonError, defineErrors } from '../../kernel/error.ts';
import { illegalTransition, type Refusal } from './outcome.ts';

export const deliveryErrors = defineErrors({
  run_not_initialized: {
    status: 404,
    message: 'No governed project is set up here.',
    next: 'Set one up: baton run init',
  },
  run_already_initialized: {
    status: 409,
    message: 'A governed project is already set up here.',
    next: 'Continue with it: baton run status',
  },
  lock_timeout: {
    status: 503,
    message: 'Another command holds the accept lock.',
    next: 'Wait for it to finish, then retry. The lock of a dead process is taken over automatically.',
    retryable: true,
  },
  state_corrupt: {
    status: 500,
    message: 'A file under .agentxchain/ cannot be read.',
    next: 'Restore it from version control or an export; `baton run verify` says what is wrong.',
  },
  journal_conflict: {
    status: 500,
    message: 'An interrupted change cannot be completed, because a file has become shorter.',
    next: 'Restore the file named in the message from version control, then retry.',
  },
  staging_missing: {
    status: 404,
    message: 'The turn has no staged result.',
    next: 'Have the agent write its turn-result.json to the staging path in its assignment.',
  },
  stale_staging: {
    status: 409,
    message: 'The staged result belongs to another turn.',
    next: 'Remove .agentxchain/staging/turn-result.json, or write it for the active turn.',
  },
  staging_malformed: {
    status: 422,
    message: 'The staged result is not readable JSON.',
    next: 'Rewrite turn-result.json as a single JSON object.',
  },
  changed_outside: {
    status: 409,
    message: 'Governed files are not as Baton last wrote them.',
    next: 'See what changed: baton run verify. Then take it over (baton run adopt) or put it back (baton run restore).',
  },
  turn_leased: {
    status: 409,
    message: 'Another process is at work on this turn.',
    next: 'Wait for it, or send the turn back, which stops its agent: baton run reject',
    retryable: true,
  },
  gate_attached: {
    status: 403,
    message: 'The run is attached to a project, so decisions on it need a credential.',
    next: 'Decide with one: baton run approve where the server can be reached, or baton inbox',
  },
  tree_failed: {
    status: 409,
    message: 'The work tree of the turn cannot be made.',
    next: 'See: baton run doctor',
  },
  merge_blocked: {
    status: 409,
    message: 'The repository is not as the turn needs it.',
    next: 'Commit or discard the changes named in the message, then retry: baton run accept',
    retryable: true,
  },
  commits_outside: {
    status: 409,
    message: 'The branch has commits that no turn made.',
    next: 'Look at them, then vouch for them: baton run adopt',
  },
  git_changed: {
    status: 409,
    message: 'The configuration of git, or git itself, was changed while a turn was at work.',
    next: 'Look at it, put it back or vouch for it: baton run adopt',
  },
  acceptance_drift: {
    status: 409,
    message: 'Files changed while the turn was being checked.',
    next: 'Wait until nothing changes the work tree, then retry: baton run accept',
    retryable: true,
  },
  bundle_tampered: {
    status: 409,
    message: 'The dispatch bundle has changed since it was sealed.',
    next: 'Write it again: baton run step --redispatch',
  },
  hook_stopped: {
    status: 409,
    message: 'A hook stopped this step.',
    next: 'See what the hook reported in .agentxchain/hook-audit.jsonl.',
  },
  gate_action_failed: {
    status: 502,
    message: 'An action of the gate failed.',
    next: 'Fix the cause, then approve again: baton run approve',
  },
  resolution_required: {
    status: 403,
    message: 'The gate may not act until governance policy allows it.',
    next: 'Get the goal allowed, or approved if policy asks (baton inbox), then approve again: baton run approve',
  },
  repository_not_found: {
    status: 404,
    message: 'No such repository.',
    next: 'List the repositories of a project: GET /v1/projects/{project_id}/repositories',
  },
  repository_unattached: {
    status: 409,
    message: 'The repository is not attached to a project.',
    next: 'Attach it: baton run attach --project <id>',
  },
  repository_taken: {
    status: 409,
    message: 'The repository belongs to another project.',
    next: 'Use it in that project.',
  },
  proposal_missing: {
    status: 404,
    message: 'The turn has no proposal.',
    next: 'See the proposals in .agentxchain/proposed/.',
  },
  proposal_unsafe: {
    status: 422,
    message: 'The proposal names a path that it may not change.',
    next: 'Reject the turn, or apply the rest by hand.',
  },
  checkpoint_failed: {
    status: 409,
    message: 'The turn could not be committed.',
    next: 'Check those files: git status',
  },
  export_unverified: {
    status: 422,
    message: 'The export does not match its own digests.',
    next: 'Export again from the repository: baton run export',
  },
  refused: {
    status: 409,
    message: 'The rules do not allow this.',
    next: 'See: baton run status',
  },
});

/** The protocol's own error types. The rule that refuses supplies the details. */
export const deliveryRefusals = defineErrors({
  invalid_state_transition: refusal('The state of the run does not allow this.'),
  immutable_field: refusal('The id of a run cannot change.'),
  invalid_config: refusal('The config is invalid.', 422),
  admission_rejected: refusal('No run could ever finish under this config.', 422),
  turn_not_active: refusal('The turn is not in progress.'),
  turn_not_found: refusal('No turn is in progress.', 404),
  turn_already_accepted: refusal('The turn has already been accepted.'),
  target_required: refusal('Several turns are in progress, and none is named.', 400),
  schema_error: refusal('The turn result does not match its schema.', 422),
  missing_required_field: refusal('The turn result is missing a field.', 422),
  invalid_decision_id_format: refusal('A decision id has the wrong format.', 422),
  assignment_error: refusal('The turn result is for another assignment.', 422),
  run_id_mismatch: refusal('The turn result belongs to another run.', 422),
  turn_id_mismatch: refusal('The turn result belongs to another turn.', 422),
  artifact_error: refusal('The turn lists files that it may not change, or none at all.', 422),
  reserved_path_violation: refusal('The turn lists a file that belongs to the orchestrator.', 422),
  verification_error: refusal('The verification contradicts its evidence.', 422),
  protocol_error: refusal('The turn result breaks a rule of the protocol.', 422),
  challenge_requirement_violated: refusal('A reviewer must raise at least one objection.', 422),
  mutually_exclusive_requests: refusal('The turn makes two requests that exclude each other.', 422),
  empty_required_field: refusal('A decision has no statement.', 422),
  invalid_enum_value: refusal('A value is not one of those allowed.', 422),
  duplicate_decision_id: refusal('The decision id is already used.'),
  override_validation_failed: refusal('The decision may not override that one.'),
  governed_files_changed: refusal(
    'The turn changed files that only the orchestrator or a person may change.',
  ),
  artifact_mismatch: refusal('The changes in the work tree are not the ones that the turn declares.'),
  gate_coverage: refusal('The turn asks to move on, but the gate fails on files that it did not change.'),
  policy_violation: refusal('A project policy refuses the turn.'),
  finalization_failed: refusal('The dispatch bundle cannot be sealed.'),
  gate_documents_changed: refusal('The documents of the gate are not those that it was opened for.'),
  unknown_gate: refusal('No such gate.', 404),
  projection_failed: refusal('The coordinator cannot place this acceptance.', 422),
  cross_repo_write_violation: refusal('The turn lists files outside its repository.', 422),
});

function refusal(message: string, status = 409) {
  return {
    status,
    message,
    next: 'Follow the advice in the message; `baton run status` shows the state of the run.',
  };
}

/** Turns a rule's refusal into an error; its rule and field go into the details. */
export function refusalError(refused: Refusal): BatonError {
  const known = Object.hasOwn(deliveryRefusals.specs, refused.type);
  const make = known
    ? deliveryRefusals[refused.type as keyof typeof deliveryRefusals.specs]
    : deliveryErrors.refused;
  return make({
    message: refused.message,
    next: refused.next,
    ...(refused.field === undefined ? {} : { pointer: `/${refused.field.replaceAll('.', '/')}` }),
    details: { rule: refused.rule, field: refused.field ?? null, ...refused.details },
  });
}

/** The error for anything that the status of a run does not allow. */
export function illegalTransitionError(
  rule: string,
  message: string,
  next: string,
  field: string,
): BatonError {
  return refusalError(illegalTransition(rule, message, next, field).refusal);
}
