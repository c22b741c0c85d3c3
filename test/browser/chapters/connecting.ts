import { expect, it } from 'vitest';
import { createClient } from '../../../packages/client/src/client.ts';
import { violations } from '../accessibility.ts';
import type { Stage } from '../stage.ts';

export function connecting(stage: Stage): void {
  const { main } = stage;

  it('creates a project, gives an agent its key and says when it called', async () => {
    await stage.dashboard.open('/connect');
    await main().getByRole('button', { name: 'New project' }).click();
    await main().getByLabel('Id').fill('shop');
    await main().getByRole('button', { name: 'Create it' }).click();
    await expect.poll(() => main().getByLabel('Its project').inputValue()).toBe('shop');

    await main().getByLabel('Client').selectOption('codex');
    await main().getByRole('button', { name: 'Make its key' }).click();
    await main().getByText('npx baton-ledger connect codex').waitFor();
    await main()
      .getByText(/Waiting for codex/)
      .waitFor();
    expect(await violations(stage.page)).toEqual([]);

    const token = await main()
      .getByText(/^baton_/)
      .innerText();
    const agent = createClient({ url: stage.server.url, token });
    await agent.call('packages.write', { title: 'The first package' });
    await main().getByText('It called.').waitFor();
    expect((await agent.call('identity.whoami', {})).projects).toEqual(['shop']);

    await stage.page.getByLabel('Project', { exact: true }).selectOption('default');
  });
}
