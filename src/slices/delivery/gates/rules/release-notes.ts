import { checkSections } from './sections.ts';

const HEADINGS = ['## User Impact', '## Verification Summary'];

export function releaseNotesFault(text: string, path: string): string | undefined {
  const { missing, hollow } = checkSections(text, HEADINGS);
  if (missing.length > 0)
    return `${path} must define ${missing.join(', ')} before ship approval can be requested.`;
  if (hollow.length === 0) return undefined;
  return `${hollow.join(' and ')} in ${path} still contains only placeholder text. QA must replace placeholder content with real release notes.`;
}
