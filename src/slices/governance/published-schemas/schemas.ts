/** Our JSON Schemas by name, as `specs/schemas/` holds them and `/v1/schemas/{name}` serves them. */
import { atlasManifestJsonSchema } from './atlas-manifest.ts';
import { carpRequestJsonSchema } from './carp-request.ts';
import { carpResolutionJsonSchema } from './carp-resolution.ts';
import type { JsonSchema } from './common.ts';
import { traceEventJsonSchema } from './trace-event.ts';

export const jsonSchemas = {
  'carp-request': carpRequestJsonSchema,
  'carp-resolution': carpResolutionJsonSchema,
  'trace-event': traceEventJsonSchema,
  'atlas-manifest': atlasManifestJsonSchema,
} as const satisfies Record<string, JsonSchema>;

export type SchemaName = keyof typeof jsonSchemas;
