import { isRecord } from '../../../../kernel/json/loose.ts';
import { misspelled, suggestion } from '../../../../kernel/nearest.ts';
import type { Finding } from '../../findings.ts';
import type { Key, Keys } from '../keys/key.ts';

export interface KeyFindings {
  /** Unknown keys where one would let something through, and misspelled ones anywhere. */
  readonly refused: readonly Finding[];
  /** Keys that mean nothing to Baton; another runner may know them. */
  readonly ignored: readonly Finding[];
}

/** Looks for keys that nobody reads. The conformance adapter does not ask: its fixtures may hold anything. */
export function unknownKeys(document: unknown, keys: Keys): KeyFindings {
  const refused: Finding[] = [];
  const ignored: Finding[] = [];
  walk(document, { type: 'object', about: '', members: keys }, '', false, (field, known, strict) => {
    const key = field.slice(field.lastIndexOf('.') + 1);
    const meant = misspelled(key, known);
    const finding = {
      type: 'unknown_key',
      field,
      message: `${field} is not a key that is known here; ${meant === undefined ? suggestion(key, known) : `did you mean ${meant}?`}`,
      next: meant === undefined ? 'Remove it, or begin its name with "x-".' : `Write ${meant} in its place.`,
    };
    (strict || meant !== undefined ? refused : ignored).push(finding);
  });
  return { refused, ignored };
}

type Found = (field: string, known: readonly string[], strict: boolean) => void;

function walk(value: unknown, key: Key, at: string, above: boolean, found: Found): void {
  const strict = above || key.strict === true;
  const below = (name: string | number) => (at === '' ? String(name) : `${at}.${name}`);
  if (Array.isArray(value)) {
    if (key.items === undefined) return;
    for (const [index, item] of value.entries()) walk(item, key.items, below(index), strict, found);
    return;
  }
  if (!isRecord(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const known =
      key.each ?? (key.members && Object.hasOwn(key.members, name) ? key.members[name] : undefined);
    if (known !== undefined) walk(member, known, below(name), strict, found);
    else if (key.members !== undefined && !isAnnotation(name)) {
      // A key that is there already is not what was meant.
      found(
        below(name),
        Object.keys(key.members).filter((other) => !Object.hasOwn(value, other)),
        strict,
      );
    }
  }
}

/** Keys of editors and people, which no runner reads. */
function isAnnotation(name: string): boolean {
  return name === '$schema' || name.startsWith('x-');
}
