import type pg from 'pg';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';
import { ourTypes } from './types.ts';

const CONNECT_MS = 5_000;
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export interface ConnectionSettings {
  readonly client: pg.ClientConfig;
  readonly schema: string | undefined;
}

export function readSettings(url: string, options: DatabaseOptions): ConnectionSettings {
  const address = new URL(url);
  const schema = options.schema ?? address.searchParams.get('schema') ?? undefined;
  address.searchParams.delete('schema');
  if (schema !== undefined && !SCHEMA_NAME.test(schema)) {
    throw storageErrors.storage_unsupported({
      message: `"${schema}" cannot be the name of the schema.`,
      next: 'Use lower-case letters, digits and underscores.',
    });
  }
  return {
    schema,
    client: {
      connectionString: address.href,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      types: ourTypes,
      application_name: schema === undefined ? 'baton' : `baton ${schema}`,
      ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
    },
  };
}
