/** What an input accepts, in words and as an example, read from its schema. */
import { z } from 'zod';
import type { Operation } from '../../src/spine/operations/define.ts';
import { jsonSchema } from '../../src/spine/operations/json-schema.ts';

export interface DescribedInput {
  readonly name: string;
  readonly in: 'path' | 'query' | 'headers' | 'body';
  readonly required: boolean;
  readonly type: string;
  readonly words: string;
}

type Schema = Readonly<Record<string, unknown>>;

const PARTS = ['path', 'query', 'headers', 'body'] as const;

function shapeOf({ input }: Operation, part: (typeof PARTS)[number]): Record<string, z.ZodType> {
  const whole = input[part] instanceof z.ZodOptional ? input[part].unwrap() : input[part];
  return whole instanceof z.ZodObject ? (whole.shape as Record<string, z.ZodType>) : {};
}

export function describedInputs(operation: Operation): DescribedInput[] {
  return PARTS.flatMap((part) =>
    Object.entries(shapeOf(operation, part)).map(([name, schema]) => ({
      name,
      in: part,
      required: !schema.safeParse(undefined).success,
      type: typeWords(jsonSchema(schema, 'input')),
      words: (schema.description ?? '').trim(),
    })),
  );
}

/** `integer 1 to 100`, `array of "read" or "write"`. */
function typeWords(schema: Schema, depth = 0): string {
  const { enum: values, anyOf, oneOf, allOf, items, type } = schema;
  if (Object.hasOwn(schema, 'const')) return JSON.stringify(schema.const);
  if (Array.isArray(values)) return either(values.map((value) => JSON.stringify(value)));
  const parts = [anyOf ?? oneOf ?? allOf ?? []].flat() as Schema[];
  if (parts.length > 0) return either([...new Set(parts.map((part) => typeWords(part, depth)))]);
  if (Array.isArray(type)) return either(type.map((each) => typeWords({ ...schema, type: each }, depth)));
  switch (type) {
    case 'array':
      return `array of ${items === undefined ? 'any value' : typeWords(items as Schema, depth)}${range(schema, 'Items')}`;
    case 'object':
      return depth > 0 ? 'object' : objectWords(schema);
    case 'string':
      return `${typeof schema.format === 'string' ? schema.format : 'string'}${range(schema, 'Length')}`;
    case 'integer':
    case 'number':
      return `${type}${range(schema, 'imum')}`;
    default:
      return typeof type === 'string' ? type : 'any value';
  }
}

function objectWords({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties as Record<string, Schema>).map(
    ([name, member]) => `${name}${(required as string[]).includes(name) ? '' : '?'}: ${typeWords(member, 1)}`,
  );
  return members.length === 0 ? 'object' : `object {${members.join(', ')}}`;
}

const either = (words: readonly string[]) => words.join(' or ');

/** Nobody needs to read the limits of the number type. */
function range(schema: Schema, unit: 'Items' | 'Length' | 'imum'): string {
  const [least, most] = [`min${unit}`, `max${unit}`].map((key) => schema[key] as number | undefined);
  const low = least !== undefined && least > Number.MIN_SAFE_INTEGER ? least : undefined;
  const high = most !== undefined && most < Number.MAX_SAFE_INTEGER ? most : undefined;
  const what = unit === 'Length' ? ' characters' : '';
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}${what}`;
  if (high !== undefined) return `, at most ${high}${what}`;
  return low !== undefined && low > 0 ? `, at least ${low}${what}` : '';
}
