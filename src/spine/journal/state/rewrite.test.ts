import { expect, it } from 'vitest';
import type { Database } from '../../storage/database.ts';
import type { Migration } from '../../storage/migration.ts';
import type { TableDeclarations } from '../../storage/tables.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { temporaryFolder, testJournal, testTree } from '../testing.ts';
import { verifyStore } from '../verify/verify-in-thread.ts';
import { recordSome } from './rewrite.ts';
import { putRewriting } from './rewrite-store.ts';
import { recordState } from './state.ts';
import { stateJournal } from './state-journal.ts';

const FIRST: Migration = {
  name: 'test/0001-notes',
  statements: (ddl) => [
    `create table notes (id ${ddl.text} primary key, body ${ddl.text} not null) ${ddl.end}`,
    `create table drafts (id ${ddl.text} primary key) ${ddl.end}`,
  ],
};
const SECOND: Migration = {
  name: 'test/0002-loud-notes',
  statements: () => [
    'update notes set body = upper(body)',
    "delete from notes where id = 'n000001'",
    'drop table drafts',
  ],
  rewrites: ['notes', 'drafts'],
};
const OLD = [...journalMigrations, FIRST];
const NEW = [...OLD, SECOND];
const NOTES: TableDeclarations = { notes: { proof: 'state', key: ['id'] } };
const OLD_TABLES: TableDeclarations = { ...NOTES, drafts: { proof: 'state', key: ['id'] } };

const ROWS = 1_100;

describeOnEachEngine('a step of the schema that rewrites rows', (open) => {
  async function upgraded() {
    const before = await open(OLD);
    const rig = testJournal(before);
    const folder = await temporaryFolder();
    const old = await recordState(before, OLD_TABLES, rig);
    await old.adoptEmpty();
    await before.write(async (uow) => {
      for (let n = 0; n < ROWS; n += 1) {
        const id = `n${String(n).padStart(6, '0')}`;
        await uow.run('insert into notes (id, body) values (?, ?)', [id, `note ${n}`]);
      }
      await uow.run("insert into drafts (id) values ('d')");
    });
    const { tree, signer } = await testTree(rig, folder);
    await tree.checkpoint();
    const verify = (db: Database, migrations: readonly Migration[], declarations: TableDeclarations) =>
      verifyStore({
        db,
        databaseUrl: open.urlOf(db),
        declarations,
        migrations,
        trustedKeys: signer.trustedKeys,
        workerFile: 'no/such/file.js',
      });
    expect(await verify(before, OLD, OLD_TABLES)).toMatchObject({ valid: true });
    const db = await open(NEW, { beside: before });
    const after = testJournal(db, 2);
    after.clock.advance({ seconds: 60 });
    const state = await recordState(db, NOTES, after);
    return { db, rig: after, state, verify: () => verify(db, NEW, NOTES) };
  }

  it('would read as tampering, and does not once its rows are recorded anew', async () => {
    const { db, state, verify, rig } = await upgraded();
    const unrecorded = await verify();
    expect(unrecorded.faults.map(({ kind }) => kind)).toContain('row_changed');
    await state.recordRewrites(NEW);
    expect(await verify()).toMatchObject({ valid: true, faults: [], state: { rows: ROWS - 1 } });
    const { events } = await rig.feed.page({ types: ['state.rewritten'], limit: 100 });
    expect(new Set(events.map(({ event }) => event.payload?.step))).toEqual(new Set([SECOND.name]));
    const recorded = events.length;
    await state.recordRewrites(NEW);
    expect((await rig.feed.page({ types: ['state.rewritten'], limit: 100 })).events).toHaveLength(recorded);
    expect(db.engine).toBe(open.engine);
  });

  it('goes on after a crash, and hides no edit that comes after it', async () => {
    const { db, state, verify, rig } = await upgraded();
    const deps = { db, tables: state.tables, hasher: rig.hasher, append: stateJournal(rig) };
    expect(await db.write((uow) => recordSome(uow, deps, { step: SECOND.name, table: 'notes' }))).toBe(true);
    expect(await verify()).toMatchObject({ valid: false });
    await state.recordRewrites(NEW);
    expect(await verify()).toMatchObject({ valid: true });
    const behind = await open(NEW, { beside: db });
    await behind.write((uow) => uow.run("update notes set body = 'forged' where id = 'n000007'"));
    await behind.write((uow) => uow.run("insert into notes (id, body) values ('n000001', 'note 1')"));
    expect((await verify()).faults).toMatchObject([
      { kind: 'row_returned', table: 'notes', key: 'n000001' },
      { kind: 'row_changed', table: 'notes', key: 'n000007' },
    ]);
  });

  it('cannot be used to have forged rows recorded: a step does it once, and only one that there is', async () => {
    const { db, state, verify } = await upgraded();
    await state.recordRewrites(NEW);
    const behind = await open(NEW, { beside: db });
    await behind.write(async (uow) => {
      await uow.run("update notes set body = 'forged' where id = 'n000007'");
      await putRewriting(uow, SECOND.name, 'notes', { after: undefined, complete: false });
    });
    await state.recordRewrites(NEW);
    expect((await verify()).faults[0]).toMatchObject({ kind: 'rewrite_repeated', table: 'notes' });
    await state.recordRewrites([{ name: 'test/0003-invented', statements: () => [], rewrites: ['notes'] }]);
    expect((await verify()).faults.map(({ kind }) => kind)).toContain('rewrite_unknown');
  });
});
