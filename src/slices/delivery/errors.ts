import { type BatonError, defineErrors } from '../../kernel/error.ts';
import type { Refusal } from './outcome.ts';

export const deliveryErrors = defineErrors({
  run_not_initialized: {
    status: 404,
    message: 'There is no governed project here.',
    next: 'Set one up: baton run init',
  },
  run_already_initialized: {
    status: 409,
    message: 'A governed project is set up here already.',
    next: 'Go on with it: baton run status',
  },
  lock_timeout: {
    status: 503,
    message: 'Another command holds the accept lock.',
    next: 'Wait for it to end, then repeat. A lock of a dead process is taken over by itself.',
    retryable: true,
  },
  state_corrupt: {
    status: 500,
    message: 'A file under .agentxchain/ cannot be read.',
    next: 'Restore it from version control or from an export: baton run verify says what is wrong.',
  },
  journal_conflict: {
    status: 500,
    message: 'A half-finished change cannot be completed, because a file is shorter than it was.',
    next: 'Restore the file that the message names from version control, then repeat.',
  },
  staging_missing: {
    status: 404,
    message: 'The turn has no staged result.',
    next: 'Let the agent write its turn-result.json to the staging path of its assignment.',
  },
  stale_staging: {
    status: 409,
    message: 'The staged result belongs to another turn.',
    next: 'Remove .agentxchain/staging/turn-result.json, or write it for the active turn.',
  },
  staging_malformed: {
    status: 422,
    message: 'The staged result is no JSON that can be read.',
    next: 'Write turn-result.json again as one JSON object.',
  },
  acceptance_drift: {
    status: 409,
    message: 'Files changed while the turn was being judged.',
    next: 'Let the work tree come to rest, then repeat: baton run accept',
    retryable: true,
  },
  bundle_tampered: {
    status: 409,
    message: 'The dispatch bundle is not what was sealed.',
    next: 'Write it anew: baton run step --redispatch',
  },
  hook_stopped: {
    status: 409,
    message: 'A hook stopped this step.',
    next: 'See .agentxchain/hook-audit.jsonl for what it said.',
  },
  gate_action_failed: {
    status: 502,
    message: 'An action of the gate failed.',
    next: 'Mend the cause, then approve again: baton run approve',
  },
  resolution_required: {
    status: 403,
    message: 'The gate may not act before the governance policy allows it.',
    next: 'Have the goal resolved and allowed, then approve again: baton run approve',
  },
  repository_not_found: {
    status: 404,
    message: 'There is no such repository here.',
    next: 'List those of a project: GET /v1/projects/{project_id}/repositories',
  },
  repository_unattached: {
    status: 409,
    message: 'The repository belongs to no project, so there is nobody to ask.',
    next: 'Say to which: baton run attach --project <id>',
  },
  repository_taken: {
    status: 409,
    message: 'The repository belongs to another project.',
    next: 'Use it there, or detach it first.',
  },
  proposal_missing: {
    status: 404,
    message: 'The turn left no proposal.',
    next: 'See what was proposed below .agentxchain/proposed/.',
  },
  proposal_unsafe: {
    status: 422,
    message: 'The proposal names a path that it may not touch.',
    next: 'Reject the turn, or apply the rest by hand.',
  },
  checkpoint_failed: {
    status: 409,
    message: 'The turn could not be committed.',
    next: 'See what git says about those files: git status',
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

/** The protocol's own names for what it refuses. The rule that refuses says the particulars. */
export const deliveryRefusals = defineErrors({
  invalid_state_transition: refusal('The state of the run does not allow this.'),
  immutable_field: refusal('A run keeps its id.'),
  invalid_config: refusal('The config is invalid.', 422),
  admission_rejected: refusal('Under this config no run could ever end.', 422),
  turn_not_active: refusal('The turn is not under way.'),
  turn_not_found: refusal('No turn is under way.', 404),
  turn_already_accepted: refusal('The turn is accepted already.'),
  target_required: refusal('Several turns are under way, and none is named.', 400),
  schema_error: refusal('The turn result does not have its shape.', 422),
  missing_required_field: refusal('The turn result lacks a field.', 422),
  invalid_decision_id_format: refusal('A decision id has the wrong form.', 422),
  assignment_error: refusal('The turn result answers another assignment.', 422),
  run_id_mismatch: refusal('The turn result belongs to another run.', 422),
  turn_id_mismatch: refusal('The turn result belongs to another turn.', 422),
  artifact_error: refusal('The turn names files that it may not touch, or none.', 422),
  reserved_path_violation: refusal('The turn names a file of the orchestrator.', 422),
  verification_error: refusal('The verification contradicts its evidence.', 422),
  protocol_error: refusal('The turn result breaks a rule of the protocol.', 422),
  challenge_requirement_violated: refusal('A reviewer has to raise an objection.', 422),
  mutually_exclusive_requests: refusal('The turn asks for two things that exclude each other.', 422),
  empty_required_field: refusal('A decision states nothing.', 422),
  invalid_enum_value: refusal('A value is none of those allowed.', 422),
  duplicate_decision_id: refusal('The decision id is taken.'),
  override_validation_failed: refusal('The decision may not override that one.'),
  artifact_mismatch: refusal('The work tree shows other changes than the turn declares.'),
  gate_coverage: refusal('The turn asks to move on while the gate fails on files it did not touch.'),
  policy_violation: refusal('A policy of the project refuses the turn.'),
  finalization_failed: refusal('The dispatch bundle cannot be sealed.'),
  unknown_gate: refusal('There is no such gate.', 404),
  projection_failed: refusal('The coordinator cannot place this acceptance.', 422),
  cross_repo_write_violation: refusal('The turn names files outside its repository.', 422),
});

function refusal(message: string, status = 409) {
  return {
    status,
    message,
    next: 'Do what the refusal names; `baton run status` shows where the run stands.',
  };
}

/** A rule's refusal as the product's error; its rule and field travel in the details. */
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
