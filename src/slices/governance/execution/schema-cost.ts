/**
 * What checking against a JSON Schema can cost, told from the schema alone. To compile one takes up to half a millisecond
 * for each of its members. Without references each of its schemas is applied to each value at most once, so that to check
 * takes at most schema times value steps; with them, the same value may be checked anew without end in sight, and
 * `uniqueItems` compares each item with each other.
 */
type Schema = Readonly<Record<string, unknown>>;

const MOST_MEMBERS = 300;
const REPEATS_ITSELF: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', 'uniqueItems']);
/** Schema members times the length of the parameters as text. */
const MOST_STEPS = 1_000_000;

export interface SchemaCost {
  /** How many values the schema is made of, as far as it was counted. */
  readonly members: number;
  readonly repeats: boolean;
}

const counted = new WeakMap<Schema, SchemaCost>();

/** Counts no further than it takes to know that the schema is large. */
export function schemaCost(schema: Schema): SchemaCost {
  const known = counted.get(schema);
  if (known) return known;
  let members = 0;
  let repeats = false;
  const open: unknown[] = [schema];
  while (open.length > 0 && members <= MOST_MEMBERS) {
    const value = open.pop();
    members += 1;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (REPEATS_ITSELF.has(name)) repeats = true;
      open.push(inner);
      if (open.length > MOST_MEMBERS) break;
    }
  }
  const cost = { members: members + open.length, repeats };
  counted.set(schema, cost);
  return cost;
}

export function isCheapToCompile(schema: Schema): boolean {
  return schemaCost(schema).members <= MOST_MEMBERS;
}

export function isCheapToCheck(schema: Schema, parametersLength: number): boolean {
  const { members, repeats } = schemaCost(schema);
  return members <= MOST_MEMBERS && !repeats && members * parametersLength <= MOST_STEPS;
}
