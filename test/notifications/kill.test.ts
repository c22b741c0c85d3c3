import { beforeAll, expect, it } from 'vitest';
import { DEFAULT_PROJECT } from '../../src/spine/identity/settings.ts';
import { notificationTestMigrations, testNotifications } from '../../src/spine/notifications/testing.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startChild } from '../journal/children.ts';
import { bundleForNode } from '../setup/bundle.ts';
import { startReceiver } from './receiver.ts';

const MOMENTS = process.env.BATON_PROVE === '1' ? 60 : 8;
const TIMEOUT = process.env.BATON_PROVE === '1' ? 600_000 : 120_000;

describeOnEachEngine('notifications under kill -9', (open) => {
  let bundle = '';
  beforeAll(async () => {
    bundle = await bundleForNode('test/notifications/kill-child.ts');
  });

  it('tell nothing twice and lose nothing, whenever the process dies', { timeout: TIMEOUT }, async () => {
    const rig = await testNotifications(await open(notificationTestMigrations));
    rig.inbox.register('review', { apply: 'rows', run: async () => {} });
    const ana = await rig.person('ana');
    const receiver = await startReceiver();
    const rules = [{ project: '*', kind: 'inbox', when: 'now' }] as const;
    await rig.add(ana, { kind: 'webhook', address: `${receiver.url}/hook`, rules, content: 'title' });
    const titles: string[] = [];
    let deaths = 0;
    const child = async (moment: number, statements: number) => {
      const now = new Date(rig.clock.now() / 1000).toISOString();
      const url = open.urlOf(rig.db);
      return startChild(bundle, url, now, String(moment + 2), String(statements)).exited;
    };
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const title = `item number ${moment}.`;
      titles.push(title);
      await rig.openItem({
        projectId: DEFAULT_PROJECT,
        risk: 'high',
        title,
        subject: { type: 'x', id: title },
      });
      // Later than any lease that the one before it held.
      rig.clock.advance({ seconds: 1200 });
      if ((await child(moment, 1 + ((moment * 7) % 45))) === null) deaths += 1;
    }
    for (let last = 0; last < 4; last += 1) {
      rig.clock.advance({ seconds: 7200 });
      expect(await child(MOMENTS + last, 100_000)).toBe(0);
    }
    expect(deaths).toBeGreaterThan(MOMENTS / 3);

    const told = receiver.posts.flatMap(({ text }) => {
      const { lines } = JSON.parse(text).data as { lines: string[] };
      return titles.filter((title) => lines.some((line) => line.includes(title)));
    });
    expect([...new Set(told)]).toEqual(told);
    const messages = await rig.messages(ana);
    expect(messages.filter(({ state }) => !['sent', 'unknown'].includes(state))).toEqual([]);
    const unknown = messages.filter(({ state }) => state === 'unknown');
    const missing = titles.filter((title) => !told.includes(title));
    // What did not arrive is named as what may have: nothing is lost in silence.
    const unclear = unknown.reduce((sum, { things }) => sum + things, 0);
    expect(missing.length).toBeLessThanOrEqual(unclear);
    expect(messages.reduce((sum, { things }) => sum + things, 0)).toBe(titles.length);
    await receiver.close();
  });
});
