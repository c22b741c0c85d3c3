import fc from 'fast-check';
import type { z } from 'zod';
import { jsonSchema } from '../../src/spine/operations/json-schema.ts';

type Schema = Record<string, unknown>;

/** Values that a schema accepts, or nearly: what a fuzzer sends to an operation. */
export function arbitraryFor(schema: z.ZodType): fc.Arbitrary<unknown> {
  const root = jsonSchema(schema, 'input');
  return fromSchema(root, root, 0);
}

function fromSchema(schema: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > 6) return fc.constant(null);
  const ref = schema.$ref as string | undefined;
  if (ref) {
    const target = ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, step) => (at as Schema)?.[step], root);
    return fromSchema((target ?? {}) as Schema, root, depth + 1);
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, root, depth + 1)));
  switch (schema.type) {
    case 'string':
      return stringFor(schema);
    case 'integer':
      return fc.integer({ min: bound(schema.minimum, -5), max: bound(schema.maximum, 1000) });
    case 'number':
      return fc.double({ min: bound(schema.minimum, -5), max: bound(schema.maximum, 1000), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema((schema.items ?? {}) as Schema, root, depth + 1), { maxLength: 4 });
    case 'object':
      return objectFor(schema, root, depth);
    default:
      return fc.jsonValue();
  }
}

function bound(value: unknown, fallback: number): number {
  return typeof value === 'number' && Math.abs(value) < 2 ** 31 ? value : fallback;
}

function stringFor(schema: Schema): fc.Arbitrary<string> {
  const minLength = (schema.minLength as number | undefined) ?? 0;
  const maxLength = Math.max(minLength, Math.min((schema.maxLength as number | undefined) ?? 40, 200));
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  return fc.string({ minLength, maxLength, unit: 'grapheme' });
}

function objectFor(schema: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required as string[] | undefined) ?? [];
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, fromSchema(member, root, depth + 1)]),
    ),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  const extra = schema.additionalProperties;
  if (typeof extra !== 'object' || extra === null) return known;
  return fc
    .tuple(
      known,
      fc.dictionary(fc.string({ maxLength: 10 }), fromSchema(extra as Schema, root, depth + 1), {
        maxKeys: 3,
      }),
    )
    .map(([fixed, more]) => ({ ...more, ...fixed }));
}
