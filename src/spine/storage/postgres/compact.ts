import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Compaction } from '../database.ts';

/** Where a transaction is open that is older than this one, VACUUM must leave what it may still read. */
const OLDER = `select count(*)::int as held from (
    select unnest(array[backend_xmin, backend_xid]) as xid from pg_stat_activity
     where pid <> pg_backend_pid() and (datname = current_database() or datname is null)
       and backend_type <> 'autovacuum worker'
    union all select transaction from pg_prepared_xacts where database = current_database()
    union all select xmin from pg_replication_slots
  ) held where xid is not null and age(xid) > age($1::text::xid)`;

/**
 * Frees the space of what was deleted. PostgreSQL writes over it as it reuses its pages; its WAL, replicas and backups
 * are the operator's.
 */
export async function compact(client: PoolClient, waitMs: number): Promise<Compaction> {
  const { rows: marks } = await client.query<{ mark: string }>(
    'select (pg_snapshot_xmax(pg_current_snapshot())::text::numeric % 4294967296)::text as mark',
  );
  const held = await waitForOlder(client, marks[0]?.mark ?? '0', waitMs);
  const { rows } = await client.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema()",
  );
  for (const { name } of rows) await client.query(`vacuum ${name}`);
  return { remains: held ? ['dead_rows'] : [] };
}

/** Most transactions are short: whether one is left that holds VACUUM back. */
async function waitForOlder(client: PoolClient, mark: string, waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ held: number }>(OLDER, [mark]);
    if (rows[0]?.held === 0) return false;
    if (performance.now() > until) return true;
    await sleep(20);
  }
}
