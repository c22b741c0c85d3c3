import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './accessibility.ts';
import { askForDecision } from './ask-for-decision.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { signIn } from './dashboard.ts';
import { overflow } from './overflow.ts';
import { type Refunds, seedRefunds } from './seed/refunds.ts';
import { Stage } from './stage.ts';

beforeAll(buildDashboard);

describeInChromium('an inbox of many', (browser) => {
  const stage = new Stage(browser);
  const PASSPHRASE = 'three unrelated words';
  let refunds: Refunds;

  beforeAll(async () => {
    await stage.set();
    refunds = await seedRefunds(stage.server, 50);
    await askForDecision(stage.server, 'Send the release notes', 'low');
    await askForDecision(stage.server, 'Write to the partners', 'medium');
  }, 180_000);
  afterAll(async () => {
    await stage.strike();
    console.log(`screenshots: ${stage.shots}`);
  });

  const items = () => stage.page.getByRole('region', { name: 'Open items' });

  it('shows what is alike as one line, with the values that decide, and counts what it filters by', async () => {
    await stage.dashboard.open('/inbox');
    await items().getByRole('button', { name: 'Show the 50 like' }).waitFor();
    await stage.page.getByRole('button', { name: /All 54/ }).waitFor();
    await stage.page.getByRole('button', { name: /high risk 2/ }).click();
    await items().getByText('key.rotate').first().waitFor();
    await items().getByText('order.refund').waitFor({ state: 'detached' });
    await stage.page.getByRole('button', { name: /high risk 2/ }).click();
    await items().getByRole('button', { name: 'Show the 50 like' }).click();
    await items().getByText('A-20839').waitFor();
    await items().getByText('amount 104 to 177.5, 7037.5 in all').waitFor();
    await stage.shot('inbox-groups');
  });

  it('edits an argument, approves the edited call alone, and the agent runs exactly that', async () => {
    await stage.dashboard.open('/inbox');
    await items().getByRole('button', { name: 'Show the 50 like' }).click();
    await items()
      .getByRole('button', { name: /A-20839/ })
      .click();
    await stage.page.getByRole('article').getByText('A-20839').first().waitFor();
    await stage.page.keyboard.press('e');
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByLabel('amount').fill('120');
    await stage.shot('inbox-edit');
    await dialog.getByRole('button', { name: 'Approve with edits' }).click();
    await dialog.waitFor({ state: 'detached' });
    const asked = { order: 'A-20839', amount: 177.5, reason: 'parcel_lost' };
    await expect(refunds.call('order.refund', asked)).rejects.toMatchObject({
      status: 403,
      details: { approved_parameters: { ...asked, amount: 120 } },
    });
    expect(await refunds.call('order.refund', { ...asked, amount: 120 })).toMatchObject({
      status: 'success',
    });
    await refunds.call('order.refund', asked);
  });

  it('takes a decision back before it takes effect, by keyboard', async () => {
    await stage.dashboard.open('/inbox');
    await stage.page.getByLabel('Time to undo').selectOption('30');
    await items()
      .getByRole('button', { name: /Write to the partners/ })
      .click();
    await stage.page.keyboard.press('r');
    await stage.page.getByRole('dialog').getByText('can be undone for 30 s').waitFor();
    await stage.page.keyboard.press('Tab');
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await stage.page.getByRole('status').getByText('Rejected.').waitFor();
    await stage.shot('inbox-undo');
    await stage.page.keyboard.press('u');
    await stage.page.getByRole('status').getByText('Rejected.').waitFor({ state: 'detached' });
    const { items: open } = await stage.server.client.call('inbox.list', { words: 'partners' });
    expect(open).toMatchObject([{ state: 'open', decision: null }]);
    await stage.page.getByLabel('Time to undo').selectOption('0');
  });

  it('defers by keyboard, shows what was put aside, and brings it back', async () => {
    await stage.dashboard.open('/inbox');
    await items()
      .getByRole('button', { name: /Send the release notes/ })
      .click();
    await stage.page.keyboard.press('d');
    await stage.page.getByRole('dialog').getByText('In 15 minutes').waitFor();
    await stage.page.keyboard.press('Enter');
    await items().getByText('Send the release notes').waitFor({ state: 'detached' });
    await stage.page.getByRole('button', { name: 'Put aside (1)' }).click();
    await items()
      .getByRole('button', { name: /Send the release notes/ })
      .click();
    await stage.page.keyboard.press('b');
    await stage.page.getByText('Nothing is put aside').waitFor();
  });

  it('approves fifty like requests in one go by keyboard alone, each by its own digest', async () => {
    await stage.dashboard.open('/inbox');
    await items().getByRole('button', { name: 'Show the 50 like' }).waitFor();
    await stage.page.keyboard.press('?');
    await stage.page.getByRole('dialog').getByText('approve what is selected').waitFor();
    await stage.page.keyboard.press('Escape');
    await stage.page.getByRole('dialog').waitFor({ state: 'detached' });
    const isGroup = () =>
      items().locator('[aria-current="true"]').filter({ hasText: 'order.refund' }).count();
    for (let press = 0; press < 4 && (await isGroup()) === 0; press += 1) {
      await stage.page.keyboard.press('j');
      await items().locator('[aria-current="true"]').waitFor();
    }
    await stage.page.keyboard.press('x');
    await stage.page.getByText('50 items selected').waitFor();
    await stage.shot('inbox-selected');
    await stage.page.keyboard.press('A');
    const dialog = stage.page.getByRole('dialog', { name: 'Approve these 50?' });
    await dialog.getByText('This call of order.refund, once, with exactly these parameters').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(50);
    await stage.shot('inbox-approve-fifty');
    await stage.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await items().getByText('order.refund').first().waitFor({ state: 'detached' });
    const { items: decided } = await stage.server.client.call('inbox.list', {
      state: 'applied',
      kind: 'carp_approval',
      limit: 200,
    });
    const approved = decided.filter(({ decision }) => decision?.decision === 'approve');
    expect(approved).toHaveLength(50);
    expect(new Set(approved.map(({ digest }) => digest)).size).toBe(50);
    expect(
      await refunds.call('order.refund', { order: 'A-20790', amount: 104, reason: 'parcel_lost' }),
    ).toMatchObject({ status: 'success' });
  });

  it('asks once for presence where several are of high risk', async () => {
    await stage.server.client.call('identity.passphrase_set', { passphrase: PASSPHRASE });
    await stage.dashboard.open('/inbox');
    await items()
      .getByRole('checkbox', { name: /Select 2 like .*key.rotate/ })
      .click();
    await stage.page.getByText('2 items selected').waitFor();
    await stage.page.keyboard.press('A');
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByLabel('Passphrase').fill(PASSPHRASE);
    await stage.shot('inbox-presence-once');
    await dialog.getByRole('button', { name: 'Approve 2' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { total } = await stage.server.client.call('inbox.list', { risk: 'high' });
    expect(total).toBe(0);
  });

  it.each([
    ['light', 'all', 1440],
    ['dark', 'all', 1440],
    ['light', 'all', 360],
    ['dark', 'color-contrast', 360],
  ] as const)('has no accessibility fault and fits (%s, %s, %i px)', async (colorScheme, rules, width) => {
    await seedMore();
    const seen = await signIn(stage.browser(), stage.server, {
      colorScheme,
      viewport: { width, height: 900 },
    });
    const look = async (name: string) => {
      expect({ name, found: await violations(seen.page, rules) }).toEqual({ name, found: [] });
      expect({ name, wide: await overflow(seen.page) }).toEqual({ name, wide: [0, 0] });
      await seen.page.screenshot({ path: join(stage.shots, `inbox-${colorScheme}-${width}-${name}.png`) });
    };
    await seen.open('/inbox');
    const open = seen.page.getByRole('region', { name: 'Open items' });
    await open.getByRole('button', { name: /Show the \d+ like .*order.refund/ }).click();
    await open.getByText('A-30000').waitFor();
    await look('list');
    await open.getByRole('checkbox', { name: /Select \d+ like .*order.refund/ }).click();
    await seen.page.getByText(/\d+ items selected/).waitFor();
    await look('selected');
    await seen.page.getByRole('button', { name: /^Approve \d+/ }).click();
    await seen.page.getByRole('dialog').waitFor();
    await look('approve');
    await seen.page.keyboard.press('Escape');
    await open.getByRole('button', { name: /A-30000/ }).click();
    await seen.page.getByRole('article').getByText('A-30000').first().waitFor();
    await look('item');
    expect(seen.complaints).toEqual([]);
    await seen.close();
  });

  let more = false;
  async function seedMore(): Promise<void> {
    if (more) return;
    more = true;
    for (let n = 0; n < 6; n += 1) {
      await refunds.call('order.refund', {
        order: `A-${30_000 + n}`,
        amount: 148 - n * 8.9,
        reason: 'parcel_lost',
      });
    }
    await refunds.call('key.rotate', { key: 'payments-live' });
    await askForDecision(stage.server, 'Delete 1,204 guest accounts', 'critical');
  }
});
