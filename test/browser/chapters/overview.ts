import { expect, it } from 'vitest';
import type { Stage } from '../stage.ts';

export function overview(stage: Stage): void {
  it('shows health, the signed checkpoint and events as they are written', async () => {
    await stage.dashboard.open('/');
    await stage.says('Healthy');
    await stage.says(/all signed|signed up to/);
    await stage.page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    await stage.makeKey('first-agent');
    await stage.page.getByRole('list', { name: 'Newest events' }).getByText('first-agent').waitFor();
    await stage.shot('overview');
  });

  it('stands still under the pointer and goes on when it leaves', async () => {
    const list = stage.page.getByRole('list', { name: 'Newest events' });
    await list.hover();
    await stage.makeKey('held-agent');
    await stage.says(/Paused, \d+ new/);
    expect(await list.getByText('held-agent').count()).toBe(0);
    await stage.page.mouse.move(2, 2);
    await list.getByText('held-agent').waitFor();
  });

  it('verifies the journal and says that it is intact', async () => {
    await stage.page.getByRole('button', { name: 'Verify now' }).click();
    await stage.says('Intact');
    await stage.shot('verified');
  });
}
