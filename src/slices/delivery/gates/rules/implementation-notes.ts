import { checkSections } from './sections.ts';

const HEADINGS = ['## Changes', '## Verification'];

export function implementationNotesFault(text: string, path: string): string | undefined {
  const { missing, hollow } = checkSections(text, HEADINGS);
  if (missing.length > 0) return `${path} must define ${missing.join(', ')} before implementation can exit.`;
  if (hollow.length === 0) return undefined;
  return `${hollow.join(' and ')} in ${path} still contains only placeholder text. Dev must replace placeholder content with real implementation notes.`;
}
