/** CRA's JSON Schemas, derived from zod: what `specs/schemas/` holds and `/v1/schemas/{name}` serves. */
import { z } from 'zod';
import { atlasManifestSchema } from '../atlases/schema.ts';
import { carpResolutionSchema, strictCarpRequestSchema } from '../resolution/schema.ts';
import { publishedAs } from '../schema.ts';
import { traceEventSchema } from '../traces/schema.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const SOURCES = {
  'carp-request': { title: 'CARP request', schema: strictCarpRequestSchema },
  'carp-resolution': { title: 'CARP resolution', schema: carpResolutionSchema },
  'trace-event': { title: 'TRACE event', schema: traceEventSchema },
  'atlas-manifest': { title: 'Atlas manifest', schema: atlasManifestSchema },
} as const;

export type SchemaName = keyof typeof SOURCES;

export function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(SOURCES, name);
}

let derived: Readonly<Record<SchemaName, JsonSchema>> | undefined;

/** Derived on the first call, so that start-up does not pay for it. */
export function publishedSchemas(): Readonly<Record<SchemaName, JsonSchema>> {
  derived ??= Object.fromEntries(
    Object.entries(SOURCES).map(([name, { title, schema }]) => [name, derive(name, title, schema)]),
  ) as Record<SchemaName, JsonSchema>;
  return derived;
}

function derive(name: string, title: string, schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    metadata: publishedAs,
    override({ jsonSchema }) {
      // The protocol does not bound integers to what JavaScript counts exactly.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Every name of a JSON object is text.
      delete jsonSchema.propertyNames;
    },
  });
  return { $schema, $id: `https://baton.dev/schemas/cra/1.0/${name}.schema.json`, title, ...rest };
}
