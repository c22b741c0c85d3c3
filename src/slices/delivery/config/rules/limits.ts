import { asRecord, isNonBlank, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { type ConfigFault, invalid } from './fault.ts';

/** Rules, budget and timeouts: the limits of a run. */
export function limitFaults(config: LooseRecord): ConfigFault[] {
  const rules = asRecord(config.rules);
  const budget = asRecord(config.budget);
  const timeouts = asRecord(config.timeouts);
  const faults: ConfigFault[] = [];
  if (rules.challenge_required !== undefined && typeof rules.challenge_required !== 'boolean') {
    faults.push(
      invalid('rules.challenge_required', 'challenge_required is not a boolean.', 'Use true or false.'),
    );
  }
  for (const key of ['max_turn_retries', 'max_idle_turns']) {
    const count = rules[key];
    if (count !== undefined && !(Number.isInteger(count) && (count as number) >= 1)) {
      faults.push(invalid(`rules.${key}`, `${key} is not a whole number above 0.`, 'Use 1 or more.'));
    }
  }
  for (const key of ['per_turn_max_usd', 'per_run_max_usd']) {
    if (budget[key] !== undefined && !isPositive(budget[key])) {
      faults.push(
        invalid(`budget.${key}`, `${key} is not an amount above zero.`, 'Use US dollars above zero.'),
      );
    }
  }
  if (
    budget.on_exceed !== undefined &&
    budget.on_exceed !== 'warn' &&
    budget.on_exceed !== 'pause_and_escalate'
  ) {
    faults.push(invalid('budget.on_exceed', 'on_exceed is unknown.', 'Use pause_and_escalate or warn.'));
  }
  if (
    isPositive(budget.per_turn_max_usd) &&
    isPositive(budget.per_run_max_usd) &&
    budget.per_turn_max_usd > budget.per_run_max_usd
  ) {
    faults.push(
      invalid(
        'budget.per_turn_max_usd',
        'One turn may cost more than the whole run.',
        'Lower it below per_run_max_usd.',
      ),
    );
  }
  for (const key of ['per_turn_minutes', 'per_phase_minutes', 'per_run_minutes']) {
    if (timeouts[key] !== undefined && !isPositive(timeouts[key])) {
      faults.push(
        invalid(`timeouts.${key}`, `${key} is not a number above zero.`, 'Use minutes above zero.'),
      );
    }
  }
  const action = timeouts.action;
  if (action !== undefined && action !== 'escalate' && action !== 'warn' && action !== 'skip_phase') {
    faults.push(
      invalid('timeouts.action', 'The timeout action is unknown.', 'Use escalate, warn or skip_phase.'),
    );
  }
  return faults;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

const POLICY_RULES: readonly string[] = [
  'max_turns_per_phase',
  'max_total_turns',
  'max_consecutive_same_role',
  'max_cost_per_turn',
  'require_status',
  'require_reproducible_verification',
];
const COUNTED = POLICY_RULES.slice(0, 4);
const ACTIONS = ['block', 'warn', 'escalate'];

export function policyFaults(config: LooseRecord): ConfigFault[] {
  if (config.policies === undefined) return [];
  if (!Array.isArray(config.policies))
    return [invalid('policies', 'policies is not a list.', 'Write a list.')];
  return config.policies.flatMap((raw, index) => onePolicy(`policies.${index}`, asRecord(raw)));
}

function onePolicy(at: string, policy: LooseRecord): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (!isNonBlank(policy.id)) faults.push(invalid(`${at}.id`, 'The policy has no id.', 'Give it one.'));
  if (!isString(policy.rule) || !POLICY_RULES.includes(policy.rule)) {
    faults.push(invalid(`${at}.rule`, 'The rule is unknown.', `Use one of: ${POLICY_RULES.join(', ')}.`));
  }
  if (!isString(policy.action) || !ACTIONS.includes(policy.action)) {
    faults.push(invalid(`${at}.action`, 'The action is unknown.', `Use one of: ${ACTIONS.join(', ')}.`));
  }
  const params = asRecord(policy.params);
  if (
    isString(policy.rule) &&
    COUNTED.includes(policy.rule) &&
    !(typeof params.limit === 'number' && params.limit > 0)
  ) {
    faults.push(
      invalid(`${at}.params.limit`, `${policy.rule} has no limit.`, 'Set params.limit above zero.'),
    );
  }
  if (
    policy.rule === 'require_status' &&
    !(Array.isArray(params.allowed) && params.allowed.every(isString))
  ) {
    faults.push(invalid(`${at}.params.allowed`, 'require_status lists no statuses.', 'Set params.allowed.'));
  }
  return faults;
}
