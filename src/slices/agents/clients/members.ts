/** Members of a message that anybody may have written. */
import { asString, isRecord } from '../../../kernel/json/loose.ts';

export type Members = Readonly<Record<string, unknown>>;

export function textOf(message: Members, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(message, name) ? asString(message[name]) : undefined;
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

export function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}

/** Of an object, or of the JSON text of one. */
export function inputOf(value: unknown): Members {
  if (typeof value !== 'string') return membersOf(value);
  try {
    return membersOf(JSON.parse(value));
  } catch {
    return {};
  }
}

/** What a tool answered, as text, whichever shape the client has for it. */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(resultText).filter(Boolean).join('\n');
  const members = membersOf(value);
  const parts = [
    members.stdout,
    members.stderr,
    members.output,
    members.llmContent,
    members.content,
    members.text,
  ];
  return parts
    .filter((part) => part !== undefined && part !== null && part !== '')
    .map(resultText)
    .join('\n');
}
