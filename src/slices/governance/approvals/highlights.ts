/** The few parameters by which a person tells one call from the next. Pure. */
import { isJsonObject, type Json, JsonNumber, type JsonObject } from '../../../kernel/json/value.ts';
import type { Highlight } from '../../../spine/inbox/effect.ts';
import { pathSteps } from '../policies/rules/when/parameter-path.ts';

const MOST = 5;
const LONGEST = 120;
const DEEPEST = 3;

/** The paths of parameters that a condition looks at, whatever form it has. */
export function pathsIn(when: unknown): string[] {
  const groups: unknown[] = Array.isArray(when) ? when : [when];
  const paths = groups.flatMap((group) =>
    typeof group === 'object' && group !== null
      ? Object.keys(group).filter((path) => !path.startsWith('@'))
      : [],
  );
  return [...new Set(paths.map((path) => pathSteps(path).join('.')))];
}

/** What the rule looks at comes first, then the rest in the order in which it was written. */
export function highlightsOf(parameters: JsonObject, deciding: readonly string[]): Highlight[] {
  const leaves = leavesOf(parameters, [], DEEPEST).map((leaf) => ({
    ...leaf,
    deciding: deciding.some((path) => leaf.name === path || leaf.name.startsWith(`${path}.`)),
  }));
  return [...leaves.filter((leaf) => leaf.deciding), ...leaves.filter((leaf) => !leaf.deciding)].slice(
    0,
    MOST,
  );
}

function leavesOf(value: Json, steps: readonly string[], depth: number): Pick<Highlight, 'name' | 'value'>[] {
  const name = steps.join('.');
  if (value instanceof JsonNumber) return [{ name, value: value.lexeme }];
  if (typeof value === 'string') return [{ name, value: shortened(value) }];
  if (Array.isArray(value))
    return [{ name, value: `${value.length} ${value.length === 1 ? 'item' : 'items'}` }];
  if (!isJsonObject(value)) return [{ name, value: value as string | number | boolean | null }];
  if (depth === 0) return [];
  return Object.entries(value).flatMap(([member, inner]) => leavesOf(inner, [...steps, member], depth - 1));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const letters = [...line];
  return letters.length <= LONGEST ? line : `${letters.slice(0, LONGEST - 1).join('')}…`;
}
