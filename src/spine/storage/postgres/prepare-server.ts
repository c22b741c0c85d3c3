import pg from 'pg';
import { BatonError } from '../../../kernel/error.ts';
import { storageErrors } from '../errors.ts';
import type { DatabaseOptions } from '../options.ts';
import { type ConnectionSettings, newClient, throughPooler } from './connection-settings.ts';
import { LOCK_TABLE } from './lock-rows.ts';
import { isConnectionLoss, unavailable } from './postgres-error.ts';

interface ServerFacts {
  readonly version: string;
  readonly encoding: string;
  readonly durable: string;
  readonly fsync: string;
  readonly full_pages: string;
  readonly recovering: number;
}

export interface PreparedServer {
  readonly settings: ConnectionSettings;
  readonly version: string;
}

/** Creates the schema, and refuses by name a server or a pooler that would break what we promise. */
export async function prepareServer(
  settings: ConnectionSettings,
  options: DatabaseOptions,
): Promise<PreparedServer> {
  for (let elsewhere = settings.hosts.count - 1; ; elsewhere -= 1) {
    const address = settings.hosts.current;
    try {
      return await prepareHere(settings, options);
    } catch (cause) {
      if (elsewhere === 0 || !(isConnectionLoss(cause) || isStandby(cause))) {
        throw cause instanceof BatonError ? cause : unavailable(cause);
      }
      settings.hosts.turnFrom(address);
    }
  }
}

async function prepareHere(direct: ConnectionSettings, options: DatabaseOptions): Promise<PreparedServer> {
  const { client, settings } = await connectDirectlyOrNot(direct, options);
  try {
    const { rows } = await client.query<ServerFacts>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        current_setting('synchronous_commit') as durable, current_setting('fsync', true) as fsync,
        current_setting('full_page_writes', true) as full_pages, pg_is_in_recovery() as recovering`,
    );
    const version = check(rows[0], settings);
    const { schema, eachTransaction = '' } = settings;
    if (schema !== undefined) await createDespiteOthers(client, '', `create schema if not exists ${schema}`);
    await createDespiteOthers(client, eachTransaction, LOCK_TABLE);
    await requireSettings(client);
    await requireStatements(client, eachTransaction);
    await requireLocks(client, settings);
    return { settings, version };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const NO_SUCH_START = '08P01';

/** A pooler tells a connection another process number than the server has, and may refuse settings at its beginning. */
async function connectDirectlyOrNot(direct: ConnectionSettings, options: DatabaseOptions) {
  const pooled = throughPooler(direct, options);
  let client = quietClient(direct);
  let refused = false;
  try {
    await client.connect();
  } catch (cause) {
    refused = (cause as { code?: string }).code === NO_SUCH_START;
    if (!refused) throw cause;
    client = quietClient(pooled);
    await client.connect();
  }
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const told = (client as pg.Client & { readonly processID?: number }).processID;
  if (!refused && rows[0]?.pid === told) return { client, settings: direct };
  if (direct.asked !== null) {
    await client.end();
    throw storageErrors.storage_unsupported({
      message: `The address asks for options (${direct.asked}), which the pooler before the server does not pass on.`,
      next: 'Take them out of BATON_DATABASE_URL, and set them with: alter role <role> set …',
    });
  }
  return { client, settings: pooled };
}

function quietClient(settings: ConnectionSettings): pg.Client {
  const client = newClient(settings);
  client.on('error', () => undefined);
  return client;
}

function check(facts: ServerFacts | undefined, { mayLose }: ConnectionSettings): string {
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
  if (!mayLose && (facts.fsync === 'off' || facts.full_pages === 'off')) {
    const name = facts.fsync === 'off' ? 'fsync' : 'full_page_writes';
    throw storageErrors.storage_unsupported({
      message: `The server would lose acknowledged commits in a power failure (${name} = off).`,
      next: `Set ${name} = on in the configuration of the server, and restart it; for a trial, add fsync=off to the address.`,
    });
  }
  if (facts.recovering === 1) throw standby();
  return facts.version;
}

const STANDBY = 'standby';

const standby = () =>
  storageErrors.storage_unsupported({
    message: 'The server is a standby, which only reads.',
    next: 'Name the primary in BATON_DATABASE_URL, or all hosts with commas between them.',
    details: { reason: STANDBY },
  });

function isStandby(error: unknown): boolean {
  return error instanceof BatonError && error.details?.reason === STANDBY;
}

/** Time-outs of a transaction end what a frozen process holds, so they must hold as long as it, and no longer. */
async function requireSettings(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('set local lock_timeout = 1234');
  const { rows } = await client.query<{ within: string }>("select current_setting('lock_timeout') as within");
  await client.query('rollback');
  if (rows[0]?.within === '1234ms') return;
  throw storageErrors.storage_unsupported({
    message: 'The server or a pooler before it loses SET LOCAL inside a transaction.',
    next: 'Let the pooler keep a connection for a whole transaction (pool_mode = transaction or session, not statement).',
  });
}

/** What is needed later than at the start: other processes' commits are seen by the first, a store is moved under the second. */
const NEEDED = ['select pg_current_snapshot()', 'lock table storage_locks in share mode nowait'];

async function requireStatements(client: pg.Client, eachTransaction: string): Promise<void> {
  for (const statement of NEEDED) {
    await client.query(`begin; ${eachTransaction}`);
    const [answer] = await Promise.allSettled([client.query(statement)]);
    await client.query('rollback');
    if (answer.status === 'fulfilled') continue;
    const { code, message } = answer.reason as pg.DatabaseError;
    if (code === LOCK_TAKEN) continue;
    if (isConnectionLoss(answer.reason)) throw answer.reason;
    throw storageErrors.storage_unsupported({
      message: `The server does not know "${statement}": ${message}.`,
      next: 'Use PostgreSQL, or an engine that has it.',
    });
  }
}

/** No slot of a key. */
const PROBE_SLOT = -1;
const LOCK_TAKEN = '55P03';

/** An engine that takes row locks for nothing would let two processes do at once what only one may. */
async function requireLocks(holder: pg.Client, settings: ConnectionSettings): Promise<void> {
  const { eachTransaction = '' } = settings;
  const other = quietClient(settings);
  await other.connect();
  try {
    const lock = `select slot from storage_locks where slot = ${PROBE_SLOT} for update`;
    await holder.query(
      `begin; ${eachTransaction}
       insert into storage_locks (slot) values (${PROBE_SLOT}) on conflict (slot) do nothing; commit`,
    );
    await holder.query(`begin; ${eachTransaction}`);
    await holder.query(lock);
    await other.query(`begin; ${eachTransaction}`);
    const [taken] = await Promise.allSettled([other.query(`${lock} nowait`)]);
    await Promise.allSettled([other.query('rollback'), holder.query('rollback')]);
    if (taken.status === 'rejected' && (taken.reason as { code?: string }).code === LOCK_TAKEN) return;
  } finally {
    await other.end().catch(() => undefined);
  }
  throw storageErrors.storage_unsupported({
    message: 'The server does not hold row locks: two transactions got the same one.',
    next: 'Use PostgreSQL, or an engine whose SELECT FOR UPDATE makes others wait.',
  });
}

const ALREADY_THERE = new Set(['23505', '42P06', '42P07']);

/** Two processes that start together may both find it missing, and one then fails to make it. */
async function createDespiteOthers(client: pg.Client, begin: string, create: string): Promise<void> {
  await client.query(`begin; ${begin}`);
  try {
    await client.query(create);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    if (!(error instanceof pg.DatabaseError && ALREADY_THERE.has(error.code ?? ''))) throw error;
  }
}
