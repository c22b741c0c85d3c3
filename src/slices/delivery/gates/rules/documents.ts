import type { ArtifactSemantics } from '../../config/config.ts';
import { checkSections } from './sections.ts';

type DocumentCheck = (text: string, path: string) => string | undefined;

const BY_PATH: Readonly<Record<string, ArtifactSemantics>> = {
  '.planning/PM_SIGNOFF.md': 'pm_signoff',
  '.planning/SYSTEM_SPEC.md': 'system_spec',
  '.planning/IMPLEMENTATION_NOTES.md': 'implementation_notes',
  '.planning/acceptance-matrix.md': 'acceptance_matrix',
  '.planning/ship-verdict.md': 'ship_verdict',
  '.planning/RELEASE_NOTES.md': 'release_notes',
};

/** The conformance corpus compares what these say byte for byte. */
const CHECKS: Readonly<Record<Exclude<ArtifactSemantics, 'section_check'>, DocumentCheck>> = {
  pm_signoff: pmSignoffFault,
  system_spec: requireSections(
    ['## Purpose', '## Interface', '## Acceptance Tests'],
    ' before planning can exit',
    ' PM must replace placeholder content with a real specification.',
  ),
  implementation_notes: requireSections(
    ['## Changes', '## Verification'],
    ' before implementation can exit',
    ' Dev must replace placeholder content with real implementation notes.',
  ),
  acceptance_matrix: acceptanceMatrixFault,
  ship_verdict: shipVerdictFault,
  release_notes: requireSections(
    ['## User Impact', '## Verification Summary'],
    ' before ship approval can be requested',
    ' QA must replace placeholder content with real release notes.',
  ),
};

/** Why a gate document does not satisfy its gate; undefined when it does. */
export function documentFault(
  path: string,
  text: string,
  semantics: ArtifactSemantics | undefined = Object.hasOwn(BY_PATH, path) ? BY_PATH[path] : undefined,
  sections: readonly string[] = [],
): string | undefined {
  if (semantics === undefined) return undefined;
  const check = semantics === 'section_check' ? requireSections(sections) : CHECKS[semantics];
  return check(text, path);
}

function requireSections(headings: readonly string[], deadline = '', remedy = ''): DocumentCheck {
  return (text, path) => {
    const { missing, hollow } = checkSections(text, headings);
    if (missing.length > 0) return `${path} must define ${missing.join(', ')}${deadline}.`;
    if (hollow.length === 0) return undefined;
    return `${hollow.join(' and ')} in ${path} still contains only placeholder text.${remedy}`;
  };
}

function pmSignoffFault(text: string, path: string): string | undefined {
  const found = [...text.matchAll(/^[ \t]*approved[ \t]*:[ \t]*(.*?)[ \t]*$/gim)].map(
    (match) => match[1] ?? '',
  );
  if (found.some((value) => value.toUpperCase() === 'YES')) return undefined;
  const [first] = found;
  return first === undefined
    ? `PM signoff must declare \`Approved: YES\` in ${path}.`
    : `PM signoff is not approved. Found "Approved: ${first}" in ${path}; set it to "Approved: YES".`;
}

const AFFIRMATIVE = ['YES', 'SHIP', 'SHIP IT'];

function shipVerdictFault(text: string, path: string): string | undefined {
  const verdict = /^##[ \t]*verdict[ \t]*:[ \t]*(.*?)[ \t]*$/im.exec(text)?.[1];
  if (verdict === undefined) return `Ship verdict must declare "## Verdict: YES" in ${path}.`;
  if (AFFIRMATIVE.includes(verdict.toUpperCase().replaceAll(/\s+/g, ' '))) return undefined;
  return `Ship verdict is not affirmative. Found "## Verdict: ${verdict}" in ${path}; use "## Verdict: YES".`;
}

const PASSING = ['PASS', 'PASSED', 'OK', 'YES'];

function acceptanceMatrixFault(text: string, path: string): string | undefined {
  const rows = tableRows(text);
  if (rows === undefined) return `${path} must contain a table whose header starts with "| Req # |".`;
  const real = rows.filter((cells) => !isScaffoldRow(cells));
  if (real.length === 0) {
    return 'Acceptance matrix has no real requirement verdict rows. Replace the scaffold placeholder with QA-owned requirement results before requesting ship approval.';
  }
  const open = real.filter((cells) => !PASSING.includes((cells.at(-1) ?? '').toUpperCase()));
  if (open.length === 0) return undefined;
  const names = open.map((cells) => `${cells[0]} (${cells.at(-1) || 'no verdict'})`).join(', ');
  return `Acceptance matrix has requirements that do not pass in ${path}: ${names}.`;
}

/** The cells below the header; undefined if there is no such table. */
function tableRows(text: string): string[][] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const header = lines.findIndex((line) => /^\|\s*req\s*#\s*\|/i.test(line));
  if (header < 0) return undefined;
  const rows: string[][] = [];
  for (const line of lines.slice(header + 1)) {
    if (!line.startsWith('|')) break;
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
    if (!cells.every((cell) => /^:?-+:?$/.test(cell))) rows.push(cells);
  }
  return rows;
}

function isScaffoldRow(cells: readonly string[]): boolean {
  return /^\(.*\)$/.test(cells[0] ?? '') || cells.every((cell) => cell === '' || cell === '-');
}
