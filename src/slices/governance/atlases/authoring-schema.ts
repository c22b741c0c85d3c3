/**
 * The Atlas as its author writes it: Atlas/1.0 with `policy.parameters` spelt out for each type, so that an editor completes
 * and underlines what the protocol's own schema leaves open. Name it in `$schema`.
 */
import { z } from 'zod';
import { PARAMETERS } from '../policies/rules/parameters.ts';
import type { Operand } from '../policies/rules/when/operator.ts';
import { NESTING, OPERATORS } from '../policies/rules/when/operators.ts';
import { TYPE_NAMES } from '../policies/rules/when/values.ts';
import { publishedAs } from '../schema.ts';
import {
  atlasManifestSchema,
  conditionsSchema,
  type PolicyType,
  policySchema,
  timeWindowSchema,
} from './schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string', minLength: 1 };
const list = (items: JsonSchema) => ({ type: 'array', minItems: 1, items });
const paths = { anyOf: [text, list(text)] };

const OPERANDS: Readonly<Record<Operand, JsonSchema>> = {
  any: {},
  number: { type: 'number' },
  list: {
    anyOf: [
      { type: 'array', minItems: 1 },
      {
        type: 'object',
        additionalProperties: false,
        required: ['of'],
        properties: { of: list(text), ignore_case: { type: 'boolean' } },
      },
    ],
  },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  type: { enum: TYPE_NAMES },
  path: text,
  texts: {
    anyOf: [
      ...paths.anyOf,
      {
        type: 'object',
        additionalProperties: false,
        required: ['of'],
        properties: { of: paths, ignore_case: { type: 'boolean' } },
      },
    ],
  },
  moment: text,
  period: { ...list(text), minItems: 2, maxItems: 2 },
  fact: {
    type: 'object',
    additionalProperties: false,
    required: ['subject', 'predicate'],
    properties: { subject: text, predicate: text, by: list(text) },
  },
};

const TESTS = { $ref: '#/$defs/tests' };
const WHEN = { $ref: '#/$defs/when' };

/** Tests on one value, and conditions on several; they hold one another. */
const DEFINITIONS = {
  tests: {
    anyOf: [
      { type: ['string', 'number', 'boolean', 'array', 'null'] },
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          ...Object.fromEntries(
            Object.entries(OPERATORS).map(([name, { summary, operand, example }]) => [
              name,
              { description: summary, examples: [example], ...OPERANDS[operand] },
            ]),
          ),
          any: { description: NESTING.any, ...WHEN },
          all: { description: NESTING.all, ...WHEN },
          not: { description: NESTING.not, ...TESTS },
        },
      },
    ],
  },
  when: {
    anyOf: [
      { type: 'object', minProperties: 1, additionalProperties: TESTS },
      list({ type: 'object', minProperties: 1, additionalProperties: TESTS }),
    ],
  },
};

let derived: JsonSchema | undefined;

export function authoringSchema(): JsonSchema {
  derived ??= derive();
  return derived;
}

function derive(): JsonSchema {
  const conditions = conditionsSchema.extend({
    time_window: z.strictObject(timeWindowSchema.shape).optional(),
  });
  const when = z
    .any()
    .optional()
    .describe('Applies only to calls whose parameters fit: path → test. An array means: one of these.')
    .register(publishedAs, WHEN);
  const policies = (Object.keys(PARAMETERS) as PolicyType[]).map((type) =>
    policySchema.extend({
      type: z.literal(type),
      conditions: conditions.optional(),
      parameters: z
        .strictObject({
          reason: z.string().optional().describe('Why, for whoever is refused or asked.'),
          when,
          ...PARAMETERS[type].shape,
        })
        .optional(),
    }),
  );
  const schema = atlasManifestSchema.extend({
    $schema: z.string().optional(),
    policies: z.array(z.union(policies)).optional(),
  });
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      Object.assign(jsonSchema, publishedAs.get(zodSchema as unknown as z.ZodType));
    },
  });
  return {
    $schema,
    $id: 'https://baton.dev/schemas/cra/1.0/atlas-authoring.schema.json',
    title: 'Atlas, as its author writes it',
    ...rest,
    $defs: { ...(rest.$defs as object | undefined), ...DEFINITIONS },
  };
}
