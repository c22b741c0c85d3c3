import type { Handlers } from '../../../spine/operations/handler.ts';
import { governanceErrors } from '../errors.ts';
import type { schemaOperations } from './operations.ts';
import { isSchemaName, publishedSchemas } from './schemas.ts';

export const schemaHandlers: Handlers<typeof schemaOperations> = {
  'schema.get': async ({ input }) => {
    const name = input.path.name.replace(/\.schema\.json$/, '');
    if (!isSchemaName(name)) throw governanceErrors.schema_not_found();
    return { body: publishedSchemas()[name], headers: { 'content-type': 'application/schema+json' } };
  },
};
