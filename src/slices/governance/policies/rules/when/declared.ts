/** What an action's `parameters_schema` says of a path: enough to find misspelt ones, and never to refuse a right one. */
import { asRecord, isRecord } from '../../../../../kernel/json/loose.ts';
import { same, typeName } from './values.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** `impossible`: no valid parameters have a value there. `undeclared`: they may, but nothing says so. */
export type Place =
  | { readonly kind: 'declared'; readonly schemas: readonly Schema[] }
  | { readonly kind: 'undeclared' }
  | { readonly kind: 'impossible'; readonly known: readonly string[] };

const UNDECLARED: Place = { kind: 'undeclared' };
const DEEPEST = 32;

export function placeOf(schema: Schema, steps: readonly string[], root: Schema = schema): Place {
  let at: Place = { kind: 'declared', schemas: flat(schema, root) };
  for (const step of steps) {
    if (at.kind !== 'declared') return at;
    at = oneStep(at.schemas, step, root);
  }
  return at;
}

/** The elements of the arrays at a place. */
export function elementsOf(schemas: readonly Schema[], root: Schema): Place {
  const items = schemas.flatMap(({ items, prefixItems }) => [
    ...(isRecord(items) ? flat(items, root) : []),
    ...(Array.isArray(prefixItems) ? prefixItems.filter(isRecord).flatMap((each) => flat(each, root)) : []),
  ]);
  return items.length === 0 ? UNDECLARED : { kind: 'declared', schemas: items };
}

/** The types that a value there may have; undefined where any may. */
export function typesAt(schemas: readonly Schema[]): ReadonlySet<string> | undefined {
  const types = new Set<string>();
  for (const schema of schemas) {
    const named = schema.type === undefined ? valuesOf(schema)?.map(typeName) : [schema.type].flat();
    if (named === undefined) {
      // A schema that is made of others says no more than they do.
      if (isComposed(schema)) continue;
      return undefined;
    }
    for (const type of named) if (typeof type === 'string') types.add(type);
  }
  return types.size === 0 ? undefined : types;
}

/** Whether a value there may be this one. */
export function mayBe(schemas: readonly Schema[], value: unknown): boolean {
  const listed = schemas.map(valuesOf);
  if (listed.length === 0 || listed.some((values) => values === undefined)) return true;
  return listed.some((values) => values?.some((each) => same(each, value)));
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  return Object.hasOwn(schema, 'const') ? [schema.const] : undefined;
}

function oneStep(schemas: readonly Schema[], step: string, root: Schema): Place {
  const found: Schema[] = [];
  const known = new Set<string>();
  let open = false;
  for (const schema of schemas) {
    const place = memberOf(schema, step, known);
    if (place === 'open') open ||= !isComposed(schema) || schema.properties !== undefined;
    else if (place !== 'closed') found.push(...flat(place, root));
  }
  if (found.length > 0) return { kind: 'declared', schemas: found };
  return open ? UNDECLARED : { kind: 'impossible', known: [...known] };
}

function memberOf(schema: Schema, step: string, known: Set<string>): Schema | 'open' | 'closed' {
  const properties = asRecord(schema.properties);
  for (const name of Object.keys(properties)) known.add(name);
  if (Object.hasOwn(properties, step)) return asSchema(properties[step]);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types?.includes('array') && /^\d+$/.test(step)) {
    const { prefixItems, items } = schema;
    const own = Array.isArray(prefixItems) ? prefixItems[Number(step)] : undefined;
    return own !== undefined ? asSchema(own) : items === undefined ? 'open' : asSchema(items);
  }
  if (types && !types.includes('object')) return 'closed';
  if (schema.patternProperties !== undefined) return 'open';
  const { additionalProperties: rest, unevaluatedProperties: others } = schema;
  if (rest === false || (rest === undefined && others === false)) return 'closed';
  return isRecord(rest) ? rest : 'open';
}

function asSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

function isComposed(schema: Schema): boolean {
  return ['allOf', 'anyOf', 'oneOf', '$ref'].some((member) => schema[member] !== undefined);
}

/** The schema with those that it refers to or is made of. A reference to elsewhere could say anything. */
function flat(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > DEEPEST) return [{}];
  const made = ['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((member) => [schema[member] ?? []].flat());
  const referred = typeof schema.$ref === 'string' ? [referenced(schema.$ref, root)] : [];
  return [schema, ...[...made, ...referred].flatMap((each) => flat(asSchema(each), root, depth + 1))];
}

function referenced(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return {};
  return reference
    .slice(1)
    .split('/')
    .filter((step) => step !== '')
    .reduce<unknown>(
      (at, step) => asRecord(at)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );
}
