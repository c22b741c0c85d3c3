import { join } from 'node:path';
import { expect, it } from 'vitest';
import { violations } from '../accessibility.ts';
import { askForDecision } from '../ask-for-decision.ts';
import { initialScriptBytes } from '../build-dashboard.ts';
import { signIn } from '../dashboard.ts';
import { overflow } from '../overflow.ts';
import type { Stage } from '../stage.ts';

const PAGES = [
  '/',
  '/inbox',
  '/journal',
  '/context',
  '/policies',
  '/memory',
  '/runs',
  '/traces',
  '/why',
  '/connect',
  '/verify',
  '/settings',
];

export function looks(stage: Stage): void {
  it('fits its first page into 140 kB of compressed script', async () => {
    const bytes = await initialScriptBytes();
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(140_000);
  });

  it('sends it compressed', async () => {
    // What was kept for want of a server is not sent again, and has no compressed size.
    const seen = await signIn(stage.browser(), stage.server, { serviceWorkers: 'block' });
    const fetched = await seen.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize] as const),
    );
    const all = fetched.reduce(
      ([sent, made], [encoded, decoded]) => [sent + encoded, made + decoded],
      [0, 0],
    );
    expect(all[0]).toBeLessThan(all[1]! / 2);
    await seen.close();
  });

  it('goes to a page by the command palette, without a keystroke that is lost', async () => {
    await stage.dashboard.open('/');
    await stage.page.keyboard.press('Control+k');
    await stage.page.keyboard.type('jour');
    await stage.page.keyboard.press('Enter');
    await stage.page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
    expect(await stage.page.getByRole('dialog').count()).toBe(0);
  });

  it('switches the theme and remembers it', async () => {
    await stage.dashboard.open('/');
    const background = () =>
      stage.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await stage.page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await stage.page.reload();
    await stage.page.getByRole('button', { name: 'Switch to the light theme' }).waitFor();
    expect(await background()).toBe(dark);
    await stage.shot('overview-dark');
    await stage.page.getByRole('button', { name: 'Switch to the light theme' }).click();
    expect(await background()).toBe(light);
  });

  it.each([
    ['light', 'all'],
    ['dark', 'color-contrast'],
  ] as const)('has no serious accessibility fault on any page (%s: %s)', async (colorScheme, rules) => {
    await askForDecision(stage.server, `Look at this in the ${colorScheme}`, 'high');
    const seen = await signIn(stage.browser(), stage.server, { colorScheme });
    for (const path of PAGES) {
      await seen.open(path);
      expect({ path, found: await violations(seen.page, rules) }).toEqual({ path, found: [] });
    }
    await seen.open('/inbox');
    await seen.page.getByRole('button', { name: new RegExp(colorScheme) }).click();
    await seen.page.keyboard.press('r');
    await seen.page.getByRole('dialog').waitFor();
    expect(await violations(seen.page, rules)).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await seen.close();
  });

  it('fits a screen of 360 pixels', async () => {
    const phone = await signIn(stage.browser(), stage.server, { viewport: { width: 360, height: 740 } });
    for (const path of PAGES) {
      await phone.open(path);
      expect({ path, wide: await overflow(phone.page) }).toEqual({ path, wide: [0, 0] });
      await phone.page.screenshot({ path: join(stage.shots, `phone${path.replace('/', '-')}.png`) });
    }
    await phone.page.getByRole('button', { name: 'Open the navigation' }).click();
    await phone.page.getByRole('dialog').getByRole('link', { name: 'Journal' }).click();
    await phone.page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
    await phone.close();
  });
}
