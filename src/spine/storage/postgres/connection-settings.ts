import pg from 'pg';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';
import { unsafeInteger } from '../sql-values.ts';
import { addressesOf, Hosts } from './hosts.ts';

const CONNECT_MS = 5_000;
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export interface ConnectionSettings {
  readonly client: pg.ClientConfig;
  readonly schema: string | undefined;
  readonly hosts: Hosts;
  /** `?options=…` in the address, which no pooler passes on. */
  readonly asked: string | null;
  /** `?fsync=off` in the address: for tests and trials, whose store may be lost. */
  readonly mayLose: boolean;
  /**
   * Set where a pooler stands before the server: what a connection is told lasts for a transaction only, so this is said at
   * the beginning of each, and nothing is prepared.
   */
  readonly eachTransaction?: string;
}

/** To the server that is thought to take writes. */
export function newClient({ client, hosts }: ConnectionSettings): pg.Client {
  return new pg.Client({ ...client, connectionString: hosts.current });
}

/** The same by way of a pooler, which takes no settings when a connection begins. */
export function throughPooler(settings: ConnectionSettings, options: DatabaseOptions): ConnectionSettings {
  const { options: _flags, ...client } = settings.client;
  const schema = settings.schema === undefined ? '' : `set local search_path = ${settings.schema};`;
  const ends =
    options.statementSeconds === undefined
      ? ''
      : `set local statement_timeout = ${options.statementSeconds * 1000};`;
  return { ...settings, client, eachTransaction: `${schema}${ends}` };
}

export function readSettings(url: string, options: DatabaseOptions): ConnectionSettings {
  const [first = url] = addressesOf(url);
  const address = new URL(first);
  const schema = options.schema ?? address.searchParams.get('schema') ?? undefined;
  // The driver prefers the address over our settings, so the address is taken apart and merged here.
  const flags = [
    address.searchParams.get('options'),
    schema && `-c search_path=${schema}`,
    options.statementSeconds && `-c statement_timeout=${options.statementSeconds * 1000}`,
  ].filter(Boolean);
  if (schema !== undefined && !SCHEMA_NAME.test(schema)) {
    throw storageErrors.storage_unsupported({
      message: `"${schema}" cannot be the name of the schema.`,
      next: 'Use lower-case letters, digits and underscores.',
    });
  }
  return {
    schema,
    hosts: new Hosts(withoutOurs(url)),
    asked: address.searchParams.get('options'),
    mayLose: address.searchParams.get('fsync') === 'off',
    client: {
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      pipeline: true,
      types: options.inexactIntegers ? inexactTypes : exactTypes,
      application_name: schema === undefined ? 'baton' : `baton ${schema}`,
      ...(flags.length === 0 ? {} : { options: flags.join(' ') }),
    },
  };
}

/** What we take out of the address ourselves. */
function withoutOurs(url: string): string {
  const [base = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  for (const ours of ['schema', 'options', 'fsync']) parameters.delete(ours);
  return parameters.size === 0 ? base : `${base}?${parameters}`;
}

const INT8 = 20;
const NUMERIC = 1700;
const BOOL = 16;
const BYTEA = 17;

type Parser = (text: string) => unknown;

/** Values as SQLite gives them: exact numbers (a sum of integers is `numeric` here), 0 and 1, plain bytes. */
const PARSERS = new Map<number, Parser>([
  [INT8, exactInteger],
  [NUMERIC, (text) => (/^-?\d+$/.test(text) ? exactInteger(text) : Number(text))],
  [BOOL, (text) => (text === 't' ? 1 : 0)],
  [BYTEA, (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
]);

function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw unsafeInteger(text);
  return value;
}

const typesBy = (parsers: ReadonlyMap<number, Parser>): pg.CustomTypesConfig => ({
  getTypeParser: ((id: number, format: 'text' | 'binary') =>
    parsers.get(id) ?? pg.types.getTypeParser(id, format as 'text')) as typeof pg.types.getTypeParser,
});
const exactTypes = typesBy(PARSERS);
const inexactTypes = typesBy(new Map([...PARSERS, [INT8, Number], [NUMERIC, Number]]));
