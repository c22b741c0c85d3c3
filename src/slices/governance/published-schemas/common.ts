/** The words that the published schemas share. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const BASE = 'https://baton.dev/schemas/cra/1.0';

export function document(name: string, title: string, rest: JsonSchema): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${BASE}/${name}.schema.json`,
    title,
    ...rest,
  };
}

export function closed(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: false,
  };
}

/** `format` alone is an annotation in draft 2020-12; the pattern is what every validator asserts. */
export const uuid: JsonSchema = {
  type: 'string',
  format: 'uuid',
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
};
export const uuidOrNull: JsonSchema = { ...uuid, type: ['string', 'null'] };
export const instant: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
};
export const instantOrNull: JsonSchema = { ...instant, type: ['string', 'null'] };
export const text: JsonSchema = { type: 'string' };
export const texts: JsonSchema = { type: 'array', items: text };
export const open: JsonSchema = { type: 'object' };
export const bool: JsonSchema = { type: 'boolean' };
export const riskTier: JsonSchema = { enum: ['low', 'medium', 'high', 'critical'] };
export const version: JsonSchema = { const: '1.0' };

export function integer(minimum?: number, maximum?: number): JsonSchema {
  return {
    type: 'integer',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
