import pg from 'pg';
import { BatonError } from '../../../kernel/error.ts';
import { storageErrors } from '../errors.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { LOCK_TABLE } from './lock-rows.ts';
import { unavailable } from './postgres-error.ts';

interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
  readonly durable: string;
}

/** Creates the schema, refuses a server that would lose acknowledged commits, and returns its version. */
export async function prepareServer({ client: settings, schema }: ConnectionSettings): Promise<string> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<ServerFacts>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        current_setting('synchronous_commit') as durable`,
    );
    if (schema !== undefined) await createSchema(client, schema);
    const version = check(rows[0]);
    await createLocks(client);
    return version;
  } catch (cause) {
    throw cause instanceof BatonError ? cause : unavailable(cause);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function check(facts: ServerFacts | undefined): string {
  if (facts?.encoding !== 'UTF8') {
    throw storageErrors.storage_unsupported({
      message: `The database is encoded in ${facts?.encoding}, not in UTF8.`,
      next: "Create the database with encoding 'UTF8'.",
    });
  }
  if (facts.durable === 'off') {
    throw storageErrors.storage_unsupported({
      message: 'The server acknowledges commits before they are durable (synchronous_commit = off).',
      next: 'Run: alter role <role> set synchronous_commit = on.',
    });
  }
  return facts.version;
}

/** Two processes that start together may both find it missing, and one then fails to make it. */
async function createSchema(client: pg.Client, schema: string): Promise<void> {
  await despiteOthers(() => client.query(`create schema if not exists ${schema}`));
}

async function createLocks(client: pg.Client): Promise<void> {
  await despiteOthers(() => client.query(LOCK_TABLE));
}

const ALREADY_THERE = new Set(['23505', '42P06', '42P07']);

async function despiteOthers(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? ''))) throw error;
  }
}
