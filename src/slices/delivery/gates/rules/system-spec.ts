import { checkSections } from './sections.ts';

const HEADINGS = ['## Purpose', '## Interface', '## Acceptance Tests'];

export function systemSpecFault(text: string, path: string): string | undefined {
  const { missing, hollow } = checkSections(text, HEADINGS);
  if (missing.length > 0) return `${path} must define ${missing.join(', ')} before planning can exit.`;
  if (hollow.length === 0) return undefined;
  return `${hollow.join(' and ')} in ${path} still contains only placeholder text. PM must replace placeholder content with a real specification.`;
}
