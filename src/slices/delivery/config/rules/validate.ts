import { asRecord, isNonBlank, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { type ConfigFault, invalid } from './fault.ts';
import { gateFaults, workflowKitFaults } from './gates.ts';
import { hookFaults } from './hooks.ts';
import { limitFaults, policyFaults } from './limits.ts';
import { bindingFaults, roleFaults, roleRuntimeFaults, runtimeFaults } from './roles.ts';
import { routingFaults } from './routing.ts';

/** Every fault of a config. The order is part of the contract: the first one names the refusal. */
export function validateConfig(raw: unknown): readonly ConfigFault[] {
  if (!isRecord(raw)) {
    return [invalid('', 'The config is not a JSON object.', 'Write agentxchain.json as one JSON object.')];
  }
  const config: LooseRecord = raw;
  const runtimes = asRecord(config.runtimes);
  const roles = asRecord(config.roles);
  return [
    ...versionFaults(config),
    ...roleRuntimeFaults(roles, runtimes),
    ...routingFaults(config),
    ...projectFaults(config),
    ...roleFaults(config),
    ...runtimeFaults(config),
    ...bindingFaults(roles, runtimes),
    ...gateFaults(config),
    ...hookFaults(config),
    ...workflowKitFaults(config),
    ...policyFaults(config),
    ...limitFaults(config),
  ];
}

const VERSION = '1.0';
/** Configs from before the protocol had a version of its own. */
const LEGACY_VERSION = 4;
const GOAL_LIMIT = 500;

function versionFaults(config: LooseRecord): ConfigFault[] {
  const actual = config.schema_version;
  if (actual === VERSION || actual === LEGACY_VERSION) return [];
  return [
    {
      type: 'schema_version_invalid',
      field: 'schema_version',
      message: `schema_version is ${JSON.stringify(actual) ?? 'missing'}; this engine reads "${VERSION}".`,
      next: `Set schema_version to "${VERSION}".`,
      facts: { expected_version: VERSION, actual_version: actual ?? null },
    },
  ];
}

function projectFaults(config: LooseRecord): ConfigFault[] {
  if (!isRecord(config.project)) {
    return [invalid('project', 'project is missing.', 'Add project with an id and a name.')];
  }
  const faults: ConfigFault[] = [];
  for (const key of ['id', 'name']) {
    if (!isNonBlank(config.project[key])) {
      faults.push(
        invalid(`project.${key}`, `project.${key} is not a non-empty text.`, `Give the project a ${key}.`),
      );
    }
  }
  const goal = config.project.goal;
  if (goal !== undefined && (!isString(goal) || goal.length > GOAL_LIMIT)) {
    faults.push(
      invalid(
        'project.goal',
        `project.goal is not a string of at most ${GOAL_LIMIT} characters.`,
        'Shorten the goal.',
      ),
    );
  }
  return faults;
}
