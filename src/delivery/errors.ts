import { BatonError, defineErrors } from '../kernel/error.ts';
import type { Refusal } from './rules/outcome.ts';

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
  runtime_failed: {
    status: 502,
    message: 'The agent could not be reached or did not answer.',
    next: 'Check the runtime in agentxchain.json, then repeat: baton run step',
    retryable: true,
  },
  runtime_misconfigured: {
    status: 422,
    message: 'The runtime is not configured for what it has to do.',
    next: 'Correct the runtime in agentxchain.json.',
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

/** A rule's refusal as the product's error; its type, rule and field travel in the details. */
export function refusalError(refusal: Refusal): BatonError {
  return new BatonError(refusal.type, deliveryErrors.specs.refused, {
    message: refusal.message,
    next: refusal.next,
    ...(refusal.field === undefined ? {} : { pointer: `/${refusal.field.replaceAll('.', '/')}` }),
    details: { rule: refusal.rule, field: refusal.field ?? null, ...refusal.details },
  });
}
