import type { Handlers } from '../../../spine/operations/handler.ts';
import { authoringSchema } from '../atlases/authoring-schema.ts';
import { governanceErrors } from '../errors.ts';
import type { schemaOperations } from './operations.ts';
import { isSchemaName, publishedSchemas } from './schemas.ts';

export const schemaHandlers: Handlers<typeof schemaOperations> = {
  'schema.get': async ({ input }) => {
    const name = input.path.name.replace(/\.schema\.json$/, '');
    const known = name === 'atlas-authoring' || isSchemaName(name);
    if (!known) throw governanceErrors.schema_not_found();
    const body = name === 'atlas-authoring' ? authoringSchema() : publishedSchemas()[name];
    return { body, headers: { 'content-type': 'application/schema+json' } };
  },
};
