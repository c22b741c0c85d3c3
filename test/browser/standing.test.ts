import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { overflow } from './overflow.ts';
import { type Refunds, seedRefunds } from './seed/refunds.ts';
import { Stage } from './stage.ts';

beforeAll(buildDashboard);

describeInChromium('a rule from past decisions', (browser) => {
  const stage = new Stage(browser);
  let refunds: Refunds;

  beforeAll(async () => {
    await stage.set();
    refunds = await seedRefunds(stage.server, 24, 0);
    const { items } = await stage.server.client.call('inbox.list', { limit: 200 });
    await stage.server.client.call('inbox.decide_many', {
      decision: 'approve',
      decisions: items.map(({ id, digest }) => ({ id, digest })),
    });
    await refunds.call('order.refund', { order: 'A-40001', amount: 120, reason: 'parcel_lost' });
    await refunds.call('order.refund', { order: 'A-40002', amount: 480, reason: 'parcel_lost' });
  }, 180_000);
  afterAll(async () => {
    await stage.strike();
    console.log(`screenshots: ${stage.shots}`);
  });

  const strip = () => stage.page.getByRole('region', { name: 'A rule that your decisions suggest' });

  it('is offered in the inbox, with what it would have decided about each of them', async () => {
    await stage.dashboard.open('/inbox');
    await strip().getByText('You approved 24 of 24 like this: make it a rule?').waitFor();
    await strip()
      .getByText(/amount 104 to 138.5, reason parcel_lost, any order/)
      .waitFor();
    await stage.shot('standing-strip');
    await strip().getByRole('button', { name: 'Replay the 24' }).click();
    const dialog = stage.page.getByRole('dialog');
    const rows = dialog.getByRole('list', { name: 'Decided again' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(26);
    expect(await rows.filter({ hasText: 'allowed' }).count()).toBe(25);
    expect(await rows.filter({ hasText: 'A-40002' }).innerText()).toContain('still asks');
    expect(await violations(stage.page)).toEqual([]);
    await stage.shot('standing-replay');
  });

  it('is drafted into the workbench, changes nothing there, and counts once it is loaded', async () => {
    await stage.page.getByRole('dialog').getByRole('link', { name: 'Draft the rule' }).click();
    const main = stage.main();
    await main
      .getByRole('list', { name: 'Rules of the draft' })
      .getByText('large-refunds-standing')
      .waitFor();
    await main
      .getByRole('region', { name: 'Impact' })
      .getByText(/real decisions/)
      .waitFor();
    await stage.shot('standing-draft');
    for (const pixels of await overflow(stage.page)) expect(pixels).toBeLessThanOrEqual(0);
    const like = { order: 'A-40003', amount: 121, reason: 'parcel_lost' };
    expect(await refunds.call('order.refund', like)).toMatchObject({ status: 'pending_approval' });
    await main.getByRole('button', { name: /^Load 1\.1\.0/ }).click();
    await stage.page.getByRole('dialog').getByRole('button', { name: /^Load/ }).click();
    await expect
      .poll(
        async () =>
          (await stage.server.client.call('atlas.get', { atlas_id: 'com.example.billing' })).version,
      )
      .toBe('1.1.0');
    const next = { ...like, order: 'A-40004' };
    expect(await refunds.call('order.refund', next)).toMatchObject({ status: 'success' });
    expect(await refunds.call('order.refund', { ...next, amount: 139 })).toMatchObject({
      status: 'pending_approval',
    });
    await stage.dashboard.open('/inbox');
    await stage.page.getByRole('region', { name: 'Open items' }).waitFor();
    expect(await strip().count()).toBe(0);
    expect(stage.dashboard.complaints).toEqual([]);
  });
});
