import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { type TestJournal, testJournal, testTree } from '../testing.ts';
import type { KeptQuestion } from './kept-check.ts';
import type { JournalReport } from './report.ts';

const kindsOf = ({ faults }: JournalReport) => [...new Set(faults.map(({ kind }) => kind))].sort();
const asking = (notes: readonly string[], more: Partial<KeptQuestion> = {}): KeptQuestion => ({
  notes,
  keys: [],
  witnessKeys: [],
  ...more,
});

describeOnEachEngine('a checkpoint that somebody kept', (open) => {
  async function story(seed = 1) {
    const rig = testJournal(await open(journalMigrations), seed);
    const kit = await testTree(rig);
    const session = await rig.newSession();
    for (let n = 0; n < 5; n += 1) await rig.appendOne(session, { n });
    const early = (await kit.tree.checkpoint())!;
    for (let n = 5; n < 9; n += 1) await rig.appendOne(session, { n });
    const late = (await kit.tree.checkpoint())!;
    return { ...rig, ...kit, session, early, late };
  }

  /** As the owner of store and key would: everything after the size is gone, and nothing says that it was there. */
  async function cut({ db }: TestJournal, size: number): Promise<void> {
    await db.write(async (uow) => {
      await uow.run('delete from checkpoints where size > ?', [size]);
      await uow.run('delete from events where leaf >= ?', [size]);
      await uow.run('update journal_head set next_leaf = ?, signed_size = ?', [size, size]);
      await uow.run('update journal_projects set next_seq = ?', [size + 1]);
      await uow.run(
        `update chains set next_sequence = ?,
           head_hash = (select event_hash from events where leaf = ?),
           last_time_us = (select time_us from events where leaf = ?)
         where kind = 'ledger'`,
        [size, size - 1, size - 1],
      );
    });
  }

  it('is contained in the journal that it was taken from, whichever it is and however often', async () => {
    const { verify, early, late } = await story();
    const report = await verify(3, asking([late.note, early.note, early.note]));
    expect(report).toMatchObject({ valid: true, kept: { checkpoints: 3, newest: 9, witnesses: [] } });
    expect((await verify()).kept).toBeNull();
  });

  it('shows that the owner of the store cut the newest events, with later checkpoints and all counters', async () => {
    const rig = await story();
    await cut(rig, 5);
    expect(await rig.verify()).toMatchObject({ valid: true, events: 5 });
    expect(kindsOf(await rig.verify(100, asking([rig.early.note])))).toEqual([]);
    const report = await rig.verify(100, asking([rig.early.note, rig.late.note]));
    expect(report.faults).toEqual([
      {
        kind: 'kept_cut',
        message: 'A kept checkpoint signs 9 events, the journal has 5.',
        leaf: 8,
      },
    ]);
  });

  it('shows that the owner of store and key cut it and wrote another end', async () => {
    const rig = await story();
    await cut(rig, 5);
    for (let n = 0; n < 7; n += 1) await rig.appendOne(rig.session, { other: n });
    // After a restart: the running process remembers what it has seen of the tree.
    await (await testTree(rig, rig.folder)).tree.checkpoint();
    expect(await rig.verify()).toMatchObject({ valid: true, events: 12 });
    expect(kindsOf(await rig.verify(100, asking([rig.late.note])))).toEqual(['kept_rewritten']);
  });

  it('shows a split view: two checkpoints of one size, both signed by the store', async () => {
    const rig = await story();
    await cut(rig, 5);
    for (let n = 0; n < 4; n += 1) await rig.appendOne(rig.session, { other: n });
    // After a restart: the running process remembers what it has seen of the tree.
    await (await testTree(rig, rig.folder)).tree.checkpoint();
    expect(await rig.verify()).toMatchObject({ valid: true, events: 9 });
    expect(kindsOf(await rig.verify(100, asking([rig.late.note])))).toEqual(['kept_split_view']);
  });

  it('is refused when it was forged, signed by nobody that is trusted, or of another store', async () => {
    const rig = await story();
    const forged = rig.late.note.replace('\n9\n', '\n8\n');
    expect(kindsOf(await rig.verify(100, asking([forged])))).toEqual(['kept_forged']);
    expect(kindsOf(await rig.verify(100, asking(['not a note'])))).toEqual(['kept_forged']);
    const other = await story(2);
    expect(kindsOf(await rig.verify(100, asking([other.late.note])))).toEqual(['kept_key_unknown']);
    const keys = [other.signer.verifierKey];
    expect(kindsOf(await rig.verify(100, asking([other.late.note], { keys })))).toEqual(['kept_foreign']);
    expect(kindsOf(await rig.verify(100, asking([rig.late.note], { keys })))).toEqual(['kept_key_unknown']);
    const own = [rig.signer.verifierKey];
    expect(await rig.verify(100, asking([rig.late.note], { keys: own }))).toMatchObject({ valid: true });
  });
});
