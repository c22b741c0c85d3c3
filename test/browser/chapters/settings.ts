import { expect, it } from 'vitest';
import type { Stage } from '../stage.ts';

export function settings(stage: Stage): void {
  it('makes a key that is shown once, and revokes it', async () => {
    await stage.dashboard.open('/settings');
    await stage.page.getByRole('button', { name: 'New key' }).click();
    await stage.page.getByRole('dialog').getByLabel('Name').fill('made-here');
    await stage.page.getByRole('button', { name: 'Create the key' }).click();
    const token = await stage.page
      .getByRole('dialog')
      .getByText(/^baton_/)
      .textContent();
    const { status } = await fetch(`${stage.server.url}/v1/whoami`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(200);
    await stage.page.getByRole('button', { name: 'I have copied it' }).click();
    // The oldest keys come first, and there are more than one page of them.
    await stage.page.getByLabel('Find a key').fill('made-here');
    await stage.page.getByRole('button', { name: 'Revoke the key of made-here' }).click();
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await stage.page.getByText('Revoked').waitFor();
    const after = await fetch(`${stage.server.url}/v1/whoami`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(after.status).toBe(401);
  });
}
