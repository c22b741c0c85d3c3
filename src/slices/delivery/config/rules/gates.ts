import {
  asList,
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import { containedPath } from '../../path-rules.ts';
import { type ConfigFault, invalid } from './fault.ts';

const MIN_ACTION_MS = 1_000;
const MAX_ACTION_MS = 60 * 60 * 1_000;

export function gateFaults(config: LooseRecord): ConfigFault[] {
  if (config.gates === undefined) return [];
  if (!isRecord(config.gates))
    return [invalid('gates', 'gates is not an object.', 'Map each gate id to a gate.')];
  return Object.entries(config.gates).flatMap(([id, raw]) => oneGate(`gates.${id}`, raw));
}

function oneGate(at: string, raw: unknown): ConfigFault[] {
  if (!isRecord(raw)) return [invalid(at, `${at} is not an object.`, 'Write it as an object.')];
  const faults: ConfigFault[] = [];
  for (const flag of ['requires_verification_pass', 'requires_human_approval', 'credentialed']) {
    if (raw[flag] !== undefined && typeof raw[flag] !== 'boolean') {
      faults.push(invalid(`${at}.${flag}`, `${flag} is not a boolean.`, 'Use true or false.'));
    }
  }
  if (raw.requires_files !== undefined && !Array.isArray(raw.requires_files)) {
    faults.push(invalid(`${at}.requires_files`, 'requires_files is not a list.', 'Write a list of paths.'));
  }
  asList(raw.requires_files).forEach((path, index) => {
    if (typeof path !== 'string' || containedPath(path) === undefined) {
      faults.push(
        invalid(
          `${at}.requires_files.${index}`,
          `${JSON.stringify(path)} is not a path inside the repository.`,
          'Use a relative path.',
        ),
      );
    }
  });
  return [...faults, ...actionFaults(at, raw)];
}

function actionFaults(at: string, gate: LooseRecord): ConfigFault[] {
  const actions = asList(gate.gate_actions);
  if (actions.length === 0) return [];
  const faults: ConfigFault[] = [];
  if (gate.requires_human_approval !== true) {
    faults.push(
      invalid(
        `${at}.gate_actions`,
        'Gate actions run only after a person approved.',
        'Set requires_human_approval to true.',
      ),
    );
  }
  actions.forEach((action, index) => {
    const field = `${at}.gate_actions.${index}`;
    if (!isRecord(action) || !isNonBlank(action.run)) {
      faults.push(invalid(`${field}.run`, 'The action has no command.', 'Set run to a command line.'));
      return;
    }
    const ms = action.timeout_ms;
    if (
      ms !== undefined &&
      !(Number.isInteger(ms) && (ms as number) >= MIN_ACTION_MS && (ms as number) <= MAX_ACTION_MS)
    ) {
      faults.push(
        invalid(
          `${field}.timeout_ms`,
          'timeout_ms is outside one second to one hour.',
          'Use 1000 to 3600000.',
        ),
      );
    }
  });
  return faults;
}

const SEMANTICS = [
  'pm_signoff',
  'system_spec',
  'implementation_notes',
  'acceptance_matrix',
  'ship_verdict',
  'release_notes',
  'section_check',
];

export function workflowKitFaults(config: LooseRecord): ConfigFault[] {
  const phases = asRecord(config.workflow_kit).phases;
  if (phases === undefined) return [];
  if (!isRecord(phases))
    return [invalid('workflow_kit.phases', 'phases is not an object.', 'Map phases to artifacts.')];
  return Object.entries(phases).flatMap(([phase, raw]) =>
    asList(asRecord(raw).artifacts).flatMap((artifact, index) =>
      oneArtifact(config, `workflow_kit.phases.${phase}.artifacts.${index}`, artifact),
    ),
  );
}

function oneArtifact(config: LooseRecord, at: string, raw: unknown): ConfigFault[] {
  const artifact = asRecord(raw);
  const faults: ConfigFault[] = [];
  if (!isString(artifact.path) || containedPath(artifact.path) === undefined) {
    faults.push(
      invalid(`${at}.path`, 'The artifact has no path inside the repository.', 'Use a relative path.'),
    );
  }
  if (
    artifact.semantics !== undefined &&
    !(isString(artifact.semantics) && SEMANTICS.includes(artifact.semantics))
  ) {
    faults.push(
      invalid(`${at}.semantics`, 'The semantics are unknown.', `Use one of: ${SEMANTICS.join(', ')}.`),
    );
  }
  if (artifact.semantics === 'section_check') {
    const sections = asList(asRecord(artifact.semantics_config).required_sections);
    if (sections.length === 0 || !sections.every(isNonBlank)) {
      faults.push(
        invalid(
          `${at}.semantics_config.required_sections`,
          'section_check lists no headings.',
          'List the headings.',
        ),
      );
    }
  }
  const owner = artifact.owned_by;
  if (owner !== undefined && !(isString(owner) && isRecord(member(asRecord(config.roles), owner)))) {
    faults.push({
      type: 'undeclared_role_reference',
      field: `${at}.owned_by`,
      message: `${at}.owned_by names ${JSON.stringify(owner)}, which is not a declared role.`,
      next: 'Name a declared role, or leave owned_by out.',
      facts: { referenced_role: owner },
    });
  }
  return faults;
}
