import type { ArtifactSemantics } from '../../config/config.ts';
import { acceptanceMatrixFault } from './acceptance-matrix.ts';
import { implementationNotesFault } from './implementation-notes.ts';
import { pmSignoffFault } from './pm-signoff.ts';
import { releaseNotesFault } from './release-notes.ts';
import { checkSections } from './sections.ts';
import { shipVerdictFault } from './ship-verdict.ts';
import { systemSpecFault } from './system-spec.ts';

type Check = (text: string, path: string) => string | undefined;

const BY_PATH: Readonly<Record<string, ArtifactSemantics>> = {
  '.planning/PM_SIGNOFF.md': 'pm_signoff',
  '.planning/SYSTEM_SPEC.md': 'system_spec',
  '.planning/IMPLEMENTATION_NOTES.md': 'implementation_notes',
  '.planning/acceptance-matrix.md': 'acceptance_matrix',
  '.planning/ship-verdict.md': 'ship_verdict',
  '.planning/RELEASE_NOTES.md': 'release_notes',
};

const CHECKS: Readonly<Record<Exclude<ArtifactSemantics, 'section_check'>, Check>> = {
  pm_signoff: pmSignoffFault,
  system_spec: systemSpecFault,
  implementation_notes: implementationNotesFault,
  acceptance_matrix: acceptanceMatrixFault,
  ship_verdict: shipVerdictFault,
  release_notes: releaseNotesFault,
};

/** What a gate document says against itself, or undefined when it holds. */
export function documentFault(
  path: string,
  text: string,
  semantics: ArtifactSemantics | undefined = Object.hasOwn(BY_PATH, path) ? BY_PATH[path] : undefined,
  sections: readonly string[] = [],
): string | undefined {
  if (semantics === undefined) return undefined;
  if (semantics !== 'section_check') return CHECKS[semantics](text, path);
  const { missing, hollow } = checkSections(text, sections);
  if (missing.length > 0) return `${path} must define ${missing.join(', ')}.`;
  return hollow.length === 0
    ? undefined
    : `${hollow.join(' and ')} in ${path} still contains only placeholder text.`;
}
