import { chmod, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkpointFileName } from '../../../kernel/note/checkpoint-file.ts';
import { describeOnEachEngine } from '../../storage/testing.ts';
import { journalMigrations } from '../migrations.ts';
import { temporaryFolder, testJournal, testTree } from '../testing.ts';
import { createKeptFolder } from './kept-folder.ts';

describeOnEachEngine('checkpoints kept in a folder', (open) => {
  async function story() {
    const rig = testJournal(await open(journalMigrations));
    const kit = await testTree(rig);
    const session = await rig.newSession();
    const folder = join(await temporaryFolder(), 'kept');
    const faults: string[] = [];
    const onFault = (message: string) => faults.push(message);
    const kept = createKeptFolder({ folder, tree: kit.tree, onFault });
    const keepNext = async () => {
      await rig.appendOne(session);
      await kept.keep(await kit.tree.checkpoint());
    };
    /** As the next start of the server finds it. */
    const restarted = async () => {
      const { tree } = await testTree(rig, kit.folder);
      const again = createKeptFolder({ folder, tree, onFault });
      await again.keep(await tree.latestCheckpoint());
      return again.status();
    };
    return { ...rig, ...kit, session, keys: kit.folder, folder, kept, keepNext, faults, restarted };
  }

  it('are files named by size, readable only by their owner, each written once', async () => {
    const { kept, keepNext, folder, tree, restarted } = await story();
    await keepNext();
    await keepNext();
    await kept.keep(await tree.latestCheckpoint());
    expect(await readdir(folder)).toEqual([checkpointFileName(1), checkpointFileName(2)]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, checkpointFileName(2)))).mode & 0o777).toBe(0o600);
    expect(kept.status()).toEqual({ status: 'pass', message: 'Kept up to 2 events.' });
    expect(await restarted()).toMatchObject({ status: 'pass' });
  });

  it('show at the next start that the end was cut off, and stay as they are', async () => {
    const { db, keepNext, folder, restarted, faults } = await story();
    await keepNext();
    await keepNext();
    await db.write(async (uow) => {
      await uow.run('delete from checkpoints where size > 1');
      await uow.run('delete from events where leaf >= 1');
      await uow.run('update journal_head set next_leaf = 1, signed_size = 1');
    });
    expect(await restarted()).toMatchObject({ status: 'fail' });
    expect(faults).toEqual([expect.stringContaining('signs 2 events, the journal has 1')]);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('show that history was rewritten by the owner of store and key', async () => {
    const { db, keepNext, restarted, faults, hasher } = await story();
    await keepNext();
    await keepNext();
    const forged = hasher.hex('forged');
    await db.write((uow) => uow.run('update events set event_hash = ? where leaf = 0', [forged]));
    await db.write((uow) => uow.run('delete from checkpoints'));
    expect(await restarted()).toMatchObject({ status: 'fail' });
    expect(faults).toEqual([expect.stringContaining('history was rewritten')]);
  });

  it('are not added to while the newest is of another store, or is no checkpoint', async () => {
    const { kept, keepNext, folder, faults } = await story();
    await keepNext();
    await writeFile(join(folder, checkpointFileName(99)), 'not a note');
    await keepNext();
    expect(kept.status()).toMatchObject({ status: 'fail' });
    expect(faults).toHaveLength(1);
    expect(await readdir(folder)).toHaveLength(2);
    await rm(join(folder, checkpointFileName(99)));
    await keepNext();
    expect(kept.status()).toEqual({ status: 'pass', message: 'Kept up to 3 events.' });
  });

  it('are thinned out: the newest hundred stay, and the last of each day before them', async () => {
    const { clock, keepNext, folder } = await story();
    for (let day = 0; day < 3; day += 1) {
      for (let n = 0; n < 40; n += 1) await keepNext();
      clock.advance({ seconds: 86_400 });
    }
    const names = await readdir(folder);
    expect(names).toHaveLength(101);
    expect(names.slice(0, 2)).toEqual([checkpointFileName(20), checkpointFileName(21)]);
  });

  it('are not kept, and the store goes on, where the folder cannot be written', async () => {
    const { kept, keepNext, folder, faults } = await story();
    await keepNext();
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder was');
    await keepNext();
    expect(kept.status()).toMatchObject({ status: 'fail' });
    expect(faults).toEqual([expect.not.stringContaining(folder)]);
    await chmod(folder, 0o600);
  });
});
