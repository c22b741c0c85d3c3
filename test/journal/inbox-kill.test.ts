import { beforeAll, expect, it } from 'vitest';
import { inboxTestMigrations, testInbox } from '../../src/spine/inbox/testing.ts';
import { testTree } from '../../src/spine/journal/testing.ts';
import type { Migration } from '../../src/spine/storage/migration.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { startChild } from './children.ts';

const effects: Migration = {
  name: 'test/0001-effects',
  statements: (ddl) => [`create table effects (item_id ${ddl.text} primary key) ${ddl.end}`],
};
const MOMENTS = process.env.BATON_PROVE === '1' ? 40 : 8;

describeOnEachEngine('decisions under kill -9', (open) => {
  let bundle = '';
  beforeAll(async () => {
    bundle = await bundleForNode('test/journal/inbox-child.ts');
  });

  it('have each effect exactly once, whenever the deciding process dies', async () => {
    const kit = testInbox(await open([...inboxTestMigrations, effects]));
    kit.inbox.register('review', { apply: 'rows', run: async () => {} });
    kit.inbox.register('gate', { apply: 'job', jobKind: 'open-gate' });
    const session = await kit.newSession();
    const opened: string[] = [];
    for (const kind of ['review', 'gate', 'review', 'gate']) {
      const { itemId } = await kit.openItem({ kind, subject: { type: 'x', id: `${opened.length}` } });
      opened.push(itemId);
    }
    const url = open.urlOf(kit.db);
    let deaths = 0;
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const code = await startChild(bundle, url, session, String(2 + moment * 3)).exited;
      if (code === null) deaths += 1;
    }
    expect(deaths).toBeGreaterThan(2);
    expect(await startChild(bundle, url, session, '100000').exited).toBe(0);

    const rows = await kit.db.read((reader) =>
      reader.all<{ item_id: string }>('select item_id from effects'),
    );
    expect(rows.map((row) => row.item_id).sort()).toEqual([...opened].sort());
    for (const itemId of opened) expect((await kit.item(itemId))?.state).toBe('applied');
    const story = await kit.story();
    const count = (type: string) => story.filter((each) => each === type).length;
    expect([count('inbox.decided'), count('inbox.applied'), count('inbox.failed')]).toEqual([4, 4, 0]);
    const { verify } = await testTree(kit);
    expect(await verify()).toMatchObject({ valid: true });
  });
});
