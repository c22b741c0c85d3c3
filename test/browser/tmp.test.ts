import { afterAll, beforeAll, it } from 'vitest';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { Stage } from './stage.ts';

beforeAll(buildDashboard);
describeInChromium('tmp', (browser) => {
  const stage = new Stage(browser);
  beforeAll(() => stage.set());
  afterAll(() => stage.strike());
  it('x', async () => {
    const { client } = stage.server;
    await client
      .call('packages.deposit', { project_id: 'default', package: {} } as never)
      .catch((e) => console.log(String(e)));
    const list = await client.call('packages.list', { project_id: 'default', limit: 1 });
    console.log(JSON.stringify(list).slice(0, 400));
    await stage.dashboard.open('/settings');
    await stage.page.keyboard.press('Control+k');
    await stage.page.keyboard.type('ticket-4711');
    await stage.page.waitForTimeout(4000);
    await stage.page.screenshot({ path: '/tmp/pal.png' });
    console.log(
      await stage.page.getByRole('option').allInnerTexts(),
      await stage.page.getByRole('combobox').inputValue(),
    );
  });
});
