import {
  asList,
  asRecord,
  isNonBlank,
  isRecord,
  isString,
  type LooseRecord,
  member,
} from '../../../../kernel/json/loose.ts';
import { isWhole, type Report } from '../../findings.ts';
import { containedPath } from '../../path-rules.ts';

const MIN_ACTION_MS = 1_000;
const MAX_ACTION_MS = 60 * 60 * 1_000;

export function checkGates({ gates }: LooseRecord, report: Report) {
  if (gates === undefined) return;
  if (!isRecord(gates)) return report('gates', 'gates is not an object.', 'Map each gate id to a gate.');
  for (const [id, gate] of Object.entries(gates)) checkGate(`gates.${id}`, gate, report);
}

function checkGate(at: string, gate: unknown, report: Report) {
  if (!isRecord(gate)) return report(at, `${at} is not an object.`, 'Write it as an object.');
  for (const flag of ['requires_verification_pass', 'requires_human_approval', 'credentialed']) {
    if (gate[flag] !== undefined && typeof gate[flag] !== 'boolean')
      report(`${at}.${flag}`, `${flag} is not a boolean.`, 'Use true or false.');
  }
  if (gate.requires_files !== undefined && !Array.isArray(gate.requires_files))
    report(`${at}.requires_files`, 'requires_files is not a list.', 'Write a list of paths.');
  for (const [index, path] of asList(gate.requires_files).entries()) {
    if (typeof path === 'string' && containedPath(path) !== undefined) continue;
    const message = `${JSON.stringify(path)} is not a path inside the repository.`;
    report(`${at}.requires_files.${index}`, message, 'Use a relative path.');
  }
  checkActions(at, gate, report);
}

function checkActions(at: string, gate: LooseRecord, report: Report) {
  const actions = asList(gate.gate_actions);
  if (actions.length > 0 && gate.requires_human_approval !== true) {
    const message = 'Gate actions run only after a person approved.';
    report(`${at}.gate_actions`, message, 'Set requires_human_approval to true.');
  }
  for (const [index, action] of actions.entries()) {
    const field = `${at}.gate_actions.${index}`;
    const { run, timeout_ms: ms } = asRecord(action);
    if (!isNonBlank(run)) report(`${field}.run`, 'The action has no command.', 'Set run to a command line.');
    else if (ms !== undefined && !isWhole(ms, MIN_ACTION_MS, MAX_ACTION_MS)) {
      const message = 'timeout_ms is outside one second to one hour.';
      report(`${field}.timeout_ms`, message, 'Use 1000 to 3600000.');
    }
  }
}

const SEMANTICS: readonly unknown[] = [
  'pm_signoff',
  'system_spec',
  'implementation_notes',
  'acceptance_matrix',
  'ship_verdict',
  'release_notes',
  'section_check',
];

export function checkWorkflowKit(config: LooseRecord, report: Report) {
  const phases = asRecord(config.workflow_kit).phases;
  if (phases === undefined) return;
  if (!isRecord(phases))
    return report('workflow_kit.phases', 'phases is not an object.', 'Map phases to artifacts.');
  for (const [phase, raw] of Object.entries(phases)) {
    for (const [index, artifact] of asList(asRecord(raw).artifacts).entries())
      checkArtifact(config, `workflow_kit.phases.${phase}.artifacts.${index}`, asRecord(artifact), report);
  }
}

function checkArtifact(config: LooseRecord, at: string, artifact: LooseRecord, report: Report) {
  const { path, semantics, owned_by: owner } = artifact;
  if (!isString(path) || containedPath(path) === undefined)
    report(`${at}.path`, 'The artifact has no path inside the repository.', 'Use a relative path.');
  if (semantics !== undefined && !SEMANTICS.includes(semantics))
    report(`${at}.semantics`, 'The semantics are unknown.', `Use one of: ${SEMANTICS.join(', ')}.`);
  const sections = asList(asRecord(artifact.semantics_config).required_sections);
  if (semantics === 'section_check' && (sections.length === 0 || !sections.every(isNonBlank))) {
    const field = `${at}.semantics_config.required_sections`;
    report(field, 'section_check lists no headings.', 'List the headings.');
  }
  if (owner !== undefined && !(isString(owner) && isRecord(member(asRecord(config.roles), owner)))) {
    report(
      `${at}.owned_by`,
      `${at}.owned_by names ${JSON.stringify(owner)}, which is not a declared role.`,
      'Name a declared role, or leave owned_by out.',
      { type: 'undeclared_role_reference', facts: { referenced_role: owner } },
    );
  }
}
