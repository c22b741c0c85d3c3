import { readFile } from 'node:fs/promises';
import { type LinearPattern, linearPattern } from '../platform/linear-pattern.ts';
import { REDACTED, redactText } from '../slices/relay/spans/redact.ts';
import { appErrors } from './errors.ts';
import type { RedactSettings } from './settings.ts';

export type Redact = (text: string) => string;

/** Removes secrets, and matches of the user's own patterns, from a text; undefined when neither is configured. */
export async function createRedactor({ secrets, file }: RedactSettings): Promise<Redact | undefined> {
  const patterns = file === undefined ? [] : await readPatterns(file);
  if (!secrets && patterns.length === 0) return undefined;
  return (text) => {
    const safe = secrets ? redactText(text) : text;
    return patterns.reduce((rest, pattern) => pattern.replaceAll(rest, REDACTED), safe);
  };
}

/** One regular expression a line; `#` begins a remark. They see texts of others, so they must be linear. */
async function readPatterns(file: string): Promise<LinearPattern[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw appErrors.redaction_unusable({ details: { file }, cause });
  });
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const made = linearPattern(line.trim());
    if (made.ok) return [made.pattern];
    throw appErrors.redaction_unusable({
      message: `Line ${at + 1} of the redaction patterns cannot be used. ${made.problem}.`,
      details: { file, line: at + 1 },
    });
  });
}
