import { beforeAll, expect, it } from 'vitest';
import { journalMigrations } from '../../src/spine/journal/migrations.ts';
import { testJournal, testTree } from '../../src/spine/journal/testing.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { startChild } from './children.ts';

const kills = process.env.BATON_PROVE === '1' ? 20 : 3;
const prove = process.env.BATON_PROVE === '1';

describeOnEachEngine('the journal under kill -9', (open) => {
  let bundle = '';
  beforeAll(async () => {
    bundle = await bundleForNode('test/journal/append-child.ts');
  });

  it('keeps every event that was acknowledged, and stays whole, however often its writer is killed', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { tree, verify } = await testTree(rig);
    const sessions = [await rig.newSession('p1'), await rig.newSession('p2')];
    const acknowledged: string[] = [];
    for (let round = 0; round < kills; round += 1) {
      const child = startChild(bundle, open.urlOf(rig.db), sessions.join(','));
      await child.printed(30 + ((round * 37) % (prove ? 500 : 60)));
      await child.kill();
      acknowledged.push(...child.lines);
      await tree.checkpoint();
    }
    await rig.sequencer.run();
    const stored = await rig.db.read((reader) =>
      reader.all<{ event_id: string }>('select event_id from events where leaf is not null'),
    );
    const kept = new Set(stored.map((row) => row.event_id));
    expect(acknowledged.filter((eventId) => !kept.has(eventId))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(30 * kills);
    await tree.checkpoint();
    expect(await verify()).toMatchObject({ valid: true, events: kept.size, faults: [] });
  });

  it('loses nothing to four processes that write at once, on the same chains', async () => {
    const rig = testJournal(await open(journalMigrations));
    const { tree, verify } = await testTree(rig);
    const sessions = [await rig.newSession('p1'), await rig.newSession('p2')];
    const each = prove ? 500 : 60;
    const children = [1, 2, 3, 4].map(() =>
      startChild(bundle, open.urlOf(rig.db), sessions.join(','), String(each)),
    );
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0, 0]);
    await tree.checkpoint();
    expect(await verify()).toMatchObject({ valid: true, events: 4 * each });
  });
});
