import { toPlain } from '../../../kernel/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { defaultSensitivity } from '../categories.ts';
import { type Grant, mayRead } from '../consent/rules/grant.ts';
import { typeOfArrayKey } from '../memory-type.ts';

/** The structured objects beside the arrays: each member is a sub-category, and is judged as one. */
export function sharedCategories(held: JsonObject, grant: Grant | 'all'): Record<string, unknown> {
  const shared: Record<string, unknown> = {};
  for (const [category, value] of Object.entries(held)) {
    if (typeOfArrayKey(category) !== undefined || !isJsonObject(value)) continue;
    const members = Object.entries(value).filter(
      ([name]) => grant === 'all' || opens(grant, category) || opens(grant, `${category}.${name}`),
    );
    const open = members.filter(([name]) => grant === 'all' || !closes(grant, `${category}.${name}`));
    if (open.length > 0) shared[category] = toPlain(Object.fromEntries(open));
  }
  return shared;
}

function opens(grant: Grant, category: string): boolean {
  const sensitivity = defaultSensitivity(category);
  return mayRead(grant, { type: 'semantic', category, sensitivity, scope: [], status: 'approved' });
}

function closes(grant: Grant, category: string): boolean {
  const everything: Grant = {
    ...grant,
    allow: [{ text: category, type: undefined, category: { kind: 'exact', name: category } }],
    permissions: new Set(['read_scoped']),
  };
  return !opens(everything, category);
}
