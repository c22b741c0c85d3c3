import { asRecord, isNonBlank, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { isWhole, type Report } from '../../findings.ts';

const MAX_BACKOFF_SECONDS = 3600;

/** Rules, budget and timeouts: the limits of a run. */
export function checkLimits(config: LooseRecord, report: Report) {
  const rules = asRecord(config.rules);
  const budget = asRecord(config.budget);
  const timeouts = asRecord(config.timeouts);
  if (rules.challenge_required !== undefined && typeof rules.challenge_required !== 'boolean')
    report('rules.challenge_required', 'challenge_required is not a boolean.', 'Use true or false.');
  for (const key of ['max_turn_retries', 'max_idle_turns']) {
    if (rules[key] !== undefined && !isWhole(rules[key], 1))
      report(`rules.${key}`, `${key} is not a whole number above 0.`, 'Use 1 or more.');
  }
  for (const key of ['per_turn_max_usd', 'per_run_max_usd']) {
    if (budget[key] !== undefined && !isPositive(budget[key]))
      report(`budget.${key}`, `${key} is not an amount above zero.`, 'Use US dollars above zero.');
  }
  const { on_exceed, per_turn_max_usd: perTurn, per_run_max_usd: perRun } = budget;
  if (on_exceed !== undefined && on_exceed !== 'warn' && on_exceed !== 'pause_and_escalate')
    report('budget.on_exceed', 'on_exceed is unknown.', 'Use pause_and_escalate or warn.');
  if (isPositive(perTurn) && isPositive(perRun) && perTurn > perRun) {
    const message = 'One turn may cost more than the whole run.';
    report('budget.per_turn_max_usd', message, 'Lower it below per_run_max_usd.');
  }
  const { retry_backoff_seconds: backoff } = rules;
  if (
    backoff !== undefined &&
    !(typeof backoff === 'number' && backoff >= 0 && backoff <= MAX_BACKOFF_SECONDS)
  ) {
    const message = 'retry_backoff_seconds is out of range.';
    report('rules.retry_backoff_seconds', message, `Use 0 to ${MAX_BACKOFF_SECONDS}.`);
  }
  for (const key of ['per_turn_minutes', 'per_phase_minutes', 'per_run_minutes', 'stall_minutes']) {
    if (timeouts[key] !== undefined && !isPositive(timeouts[key]))
      report(`timeouts.${key}`, `${key} is not a number above zero.`, 'Use minutes above zero.');
  }
  const { action } = timeouts;
  if (action !== undefined && action !== 'escalate' && action !== 'warn' && action !== 'skip_phase')
    report('timeouts.action', 'The timeout action is unknown.', 'Use escalate, warn or skip_phase.');
}

export function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

const POLICY_RULES: readonly unknown[] = [
  'max_turns_per_phase',
  'max_total_turns',
  'max_consecutive_same_role',
  'max_cost_per_turn',
  'require_status',
  'require_reproducible_verification',
];
const COUNTED = POLICY_RULES.slice(0, 4);
const ACTIONS: readonly unknown[] = ['block', 'warn', 'escalate'];

export function checkPolicies({ policies }: LooseRecord, report: Report) {
  if (policies === undefined) return;
  if (!Array.isArray(policies)) return report('policies', 'policies is not a list.', 'Write a list.');
  for (const [index, policy] of policies.entries())
    checkPolicy(`policies.${index}`, asRecord(policy), report);
}

function checkPolicy(at: string, { id, rule, action, params }: LooseRecord, report: Report) {
  const { limit, allowed } = asRecord(params);
  if (!isNonBlank(id)) report(`${at}.id`, 'The policy has no id.', 'Give it one.');
  if (!POLICY_RULES.includes(rule))
    report(`${at}.rule`, 'The rule is unknown.', `Use one of: ${POLICY_RULES.join(', ')}.`);
  if (!ACTIONS.includes(action))
    report(`${at}.action`, 'The action is unknown.', `Use one of: ${ACTIONS.join(', ')}.`);
  if (COUNTED.includes(rule) && !(typeof limit === 'number' && limit > 0))
    report(`${at}.params.limit`, `${rule} has no limit.`, 'Set params.limit above zero.');
  if (rule === 'require_status' && !(Array.isArray(allowed) && allowed.every(isString)))
    report(`${at}.params.allowed`, 'require_status lists no statuses.', 'Set params.allowed.');
}
