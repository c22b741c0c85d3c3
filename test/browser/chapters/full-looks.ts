import { expect, it } from 'vitest';
import { seriousViolations } from '../accessibility.ts';
import { signIn } from '../dashboard.ts';
import { overflow } from '../overflow.ts';
import type { Stage } from '../stage.ts';

/** Every page as it is when there is something on it. */
export function fullLooks(stage: Stage): void {
  const places = async () => {
    const { client } = stage.server;
    const [given] = await client.call('packages.list', { project_id: 'default', limit: 1 });
    const { items } = await client.call('relay.spans', { limit: 1 });
    const { memories } = await client.call('memory.list', {});
    const open = await client.call('inbox.list', {});
    return [
      '/',
      `/inbox?item=${open.items[0]?.id}`,
      '/context',
      '/context?view=packages',
      '/context?view=packages&q=payments',
      '/context?view=facts',
      '/context?view=facts&subject=checkout',
      '/context?view=sessions',
      `/context?package=${given?.package_id}`,
      '/policies',
      '/policies?view=workbench',
      '/policies?view=try',
      '/policies?view=decisions',
      '/memory',
      '/memory?view=consent',
      `/memory?memory=${memories[0]?.memory.id}`,
      '/runs',
      '/runs?view=events',
      '/traces',
      '/traces?view=agents',
      '/traces?view=spans',
      '/traces?view=compare',
      '/traces?view=time',
      `/why?id=${given?.package_id}`,
      `/why?id=${given?.package_id}&as=tree`,
      `/traces?session=ticket-4711&span=${items[0]?.span_id}`,
    ];
  };

  it.each([
    ['light', 'wcag'],
    ['dark', 'color-contrast'],
  ] as const)('has no serious accessibility fault on a full page (%s: %s)', async (colorScheme, rules) => {
    const seen = await signIn(stage.browser(), stage.server, { colorScheme });
    for (const path of await places()) {
      await seen.open(path);
      expect({ path, found: await seriousViolations(seen.page, rules) }).toEqual({ path, found: [] });
    }
    expect(seen.complaints).toEqual([]);
    await seen.close();
  });

  it('fits a screen of 360 pixels when it is full', async () => {
    const phone = await signIn(stage.browser(), stage.server, { viewport: { width: 360, height: 740 } });
    for (const path of await places()) {
      await phone.open(path);
      expect({ path, wide: await overflow(phone.page) }).toEqual({ path, wide: [0, 0] });
    }
    await phone.close();
  });
}
