import { expect, it } from 'vitest';
import { runBaton } from '../../setup/cli.ts';
import type { Stage } from '../stage.ts';

export function overview(stage: Stage): void {
  it('shows health, the signed checkpoint and events as they are written', async () => {
    await stage.dashboard.open('/');
    await stage.says('Healthy');
    await stage.says(/root [0-9a-f]{8}/);
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

  it('shows only commands that exist', async () => {
    const commands = await stage.page
      .getByRole('main')
      .locator('code', { hasText: 'npx baton' })
      .allTextContents();
    expect(commands.length).toBeGreaterThanOrEqual(3);
    for (const command of commands) {
      // The verb, before what it is about.
      const words = /^npx baton ([a-z]+(?: [a-z]+)?)(?= |$)/.exec(command)?.[1]?.split(' ') ?? [];
      const { code, stdout } = await runBaton([...words, '--help']);
      expect({ command, code, usage: stdout.includes(words.join(' ')) }).toEqual({
        command,
        code: 0,
        usage: true,
      });
    }
  });

  it('verifies the journal and says that it is intact', async () => {
    await stage.page.getByRole('button', { name: 'Verify now' }).click();
    await stage.says('Intact');
    await stage.shot('verified');
  });
}
