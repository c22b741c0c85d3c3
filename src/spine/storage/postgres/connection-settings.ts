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
  // The driver lets the address win over what we add, so what it holds is taken out and put together here.
  const flags = [address.searchParams.get('options'), schema && `-c search_path=${schema}`].filter(Boolean);
  address.searchParams.delete('schema');
  address.searchParams.delete('options');
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
      ...(flags.length === 0 ? {} : { options: flags.join(' ') }),
    },
  };
}
