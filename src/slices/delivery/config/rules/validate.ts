import { asRecord, isNonBlank, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { type Finding, findingsOf, type Report } from '../../findings.ts';
import { checkApprovalPolicy } from './approval-policy.ts';
import { checkGates, checkWorkflowKit } from './gates.ts';
import { checkHooks } from './hooks.ts';
import { checkLimits, checkPolicies } from './limits.ts';
import { checkPrompts } from './prompts.ts';
import { checkBindings, checkRoles, checkRuntimeReferences, checkRuntimes } from './roles.ts';
import { checkRouting } from './routing.ts';
import { checkSchedules } from './schedules.ts';

/** Every fault of a config. The order is part of the contract: the first one names the refusal. */
export function validateConfig(raw: unknown): readonly Finding[] {
  return findingsOf('invalid_config', (report) => {
    if (!isRecord(raw))
      return report('', 'The config is not a JSON object.', 'Write agentxchain.json as one JSON object.');
    const runtimes = asRecord(raw.runtimes);
    const roles = asRecord(raw.roles);
    checkVersion(raw, report);
    checkRuntimeReferences(roles, runtimes, report);
    checkRouting(raw, report);
    checkProject(raw, report);
    checkRoles(raw, report);
    checkRuntimes(raw, report);
    checkBindings(roles, runtimes, report);
    checkGates(raw, report);
    checkHooks(raw, report);
    checkWorkflowKit(raw, report);
    checkPolicies(raw, report);
    checkLimits(raw, report);
    checkApprovalPolicy(raw, report);
    checkPrompts(raw, report);
    checkSchedules(raw, report);
  });
}

const VERSION = '1.0';
/** Configs from before the protocol had a version of its own. */
const LEGACY_VERSION = 4;
const GOAL_LIMIT = 500;

function checkVersion({ schema_version: actual }: LooseRecord, report: Report) {
  if (actual === VERSION || actual === LEGACY_VERSION) return;
  report(
    'schema_version',
    `schema_version is ${JSON.stringify(actual) ?? 'missing'}; this engine reads "${VERSION}".`,
    `Set schema_version to "${VERSION}".`,
    {
      type: 'schema_version_invalid',
      facts: { expected_version: VERSION, actual_version: actual ?? null },
    },
  );
}

function checkProject({ project }: LooseRecord, report: Report) {
  if (!isRecord(project))
    return report('project', 'project is missing.', 'Add project with an id and a name.');
  for (const key of ['id', 'name']) {
    if (!isNonBlank(project[key]))
      report(`project.${key}`, `project.${key} is not a non-empty text.`, `Give the project a ${key}.`);
  }
  const { goal } = project;
  if (goal !== undefined && (!isString(goal) || goal.length > GOAL_LIMIT)) {
    const message = `project.goal is not a string of at most ${GOAL_LIMIT} characters.`;
    report('project.goal', message, 'Shorten the goal.');
  }
}
