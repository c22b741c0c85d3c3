import { asDoc, asList, type Doc, isDoc, isNonBlank, isText, member } from '../../document.ts';
import { containedPath } from '../../path-rules.ts';
import { type ConfigFault, invalid } from './fault.ts';

const SEMANTICS = [
  'pm_signoff',
  'system_spec',
  'implementation_notes',
  'acceptance_matrix',
  'ship_verdict',
  'release_notes',
  'section_check',
];

export function workflowKitFaults(config: Doc): ConfigFault[] {
  const phases = asDoc(config.workflow_kit).phases;
  if (phases === undefined) return [];
  if (!isDoc(phases))
    return [invalid('workflow_kit.phases', 'phases is not an object.', 'Map phases to artifacts.')];
  return Object.entries(phases).flatMap(([phase, raw]) =>
    asList(asDoc(raw).artifacts).flatMap((artifact, index) =>
      oneArtifact(config, `workflow_kit.phases.${phase}.artifacts.${index}`, artifact),
    ),
  );
}

function oneArtifact(config: Doc, at: string, raw: unknown): ConfigFault[] {
  const artifact = asDoc(raw);
  const faults: ConfigFault[] = [];
  if (!isText(artifact.path) || containedPath(artifact.path) === undefined) {
    faults.push(
      invalid(`${at}.path`, 'The artifact has no path inside the repository.', 'Use a relative path.'),
    );
  }
  if (
    artifact.semantics !== undefined &&
    !(isText(artifact.semantics) && SEMANTICS.includes(artifact.semantics))
  ) {
    faults.push(
      invalid(`${at}.semantics`, 'The semantics are unknown.', `Use one of: ${SEMANTICS.join(', ')}.`),
    );
  }
  if (artifact.semantics === 'section_check') {
    const sections = asList(asDoc(artifact.semantics_config).required_sections);
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
  if (owner !== undefined && !(isText(owner) && isDoc(member(asDoc(config.roles), owner)))) {
    faults.push({
      type: 'undeclared_role_reference',
      field: `${at}.owned_by`,
      message: `${at}.owned_by names ${JSON.stringify(owner)}, which is no declared role.`,
      next: 'Name a declared role, or leave owned_by out.',
      facts: { referenced_role: owner },
    });
  }
  return faults;
}
