import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { describeOnPostgres, insertNote, NOTES, noteIds } from '../../src/spine/storage/testing.ts';
import { type PostgresServer, startPostgres } from '../setup/postgres-server.ts';

const CANCEL_WAITING = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";

// A server of its own, whose settings concern no other test.
describeOnPostgres('a commit that waits for a synchronous standby', () => {
  let server: PostgresServer | undefined;
  afterEach(() => server?.stop());

  it('is not acknowledged when somebody cancels the wait', async () => {
    server = await startPostgres();
    const db = await openDatabase(server.url);
    await db.migrate(NOTES);
    const admin = new pg.Client(server.url);
    await admin.connect();
    const standby = async (name: string) => {
      await admin.query(`alter system set synchronous_standby_names = '${name}'`);
      await admin.query('select pg_reload_conf()');
      await expect
        .poll(async () => (await admin.query('show synchronous_standby_names')).rows)
        .toEqual([{ synchronous_standby_names: name }]);
    };
    await standby('nobody');
    const alone = expect(db.write((uow) => insertNote(uow, 'alone'))).rejects.toMatchObject({
      code: 'storage_unavailable',
      details: { outcome: 'unknown' },
    });
    await expect
      .poll(async () => (await admin.query(CANCEL_WAITING)).rows.length, { interval: 50 })
      .toBeGreaterThan(0);
    await alone;
    await standby('');
    await db.write((uow) => insertNote(uow, 'again'));
    // It is there, on one disk alone, which nobody was told.
    expect(await noteIds(db)).toEqual(['again', 'alone']);
    await admin.end();
    await db.close();
  });
});
