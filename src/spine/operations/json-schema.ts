import { z } from 'zod';

/**
 * JSON Schema of a zod schema, as OpenAPI and MCP show it: as part of a larger document, so that nothing in it may refer to
 * its own root. A recursive schema would; say `z.unknown()` for what may be any JSON.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  if ($defs !== undefined) throw new Error('A recursive schema cannot be part of a larger document.');
  return rest;
}
