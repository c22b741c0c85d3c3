import { join } from 'node:path';
import { expect, it } from 'vitest';
import { violations } from '../accessibility.ts';
import { newDashboard } from '../dashboard.ts';
import type { Stage } from '../stage.ts';

export function signingIn(stage: Stage): void {
  it('says how to sign in to whoever is not', async () => {
    const stranger = await newDashboard(stage.browser(), stage.server);
    await stranger.open('/journal');
    await stranger.page.getByText('npx baton-ledger open').waitFor();
    expect(await violations(stranger.page)).toEqual([]);
    await stranger.page.screenshot({ path: join(stage.shots, 'sign-in.png') });
    await stranger.close();
  });

  it('opens by a link that works once and leaves it in no address', async () => {
    const link = await stage.server.app.dashboardLink();
    const first = await newDashboard(stage.browser(), stage.server);
    await first.page.goto(`${stage.server.url}${link}`);
    await first.page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    expect(new URL(first.page.url()).href).toBe(`${stage.server.url}/`);
    await first.close();
    const second = await newDashboard(stage.browser(), stage.server);
    await second.page.goto(`${stage.server.url}${link}`);
    await second.page.getByRole('alert').filter({ hasText: 'The link is invalid' }).waitFor();
    await second.close();
  });

  it('opens by a key that is typed on the page, and keeps it nowhere', async () => {
    const first = await newDashboard(stage.browser(), stage.server);
    await first.open('/');
    await first.page.getByLabel('Your key').fill('baton_0000000000000000_wrong');
    await first.page.keyboard.press('Enter');
    await first.page.getByRole('alert').waitFor();
    await first.page.getByLabel('Your key').fill(stage.server.ownerToken);
    await first.page.keyboard.press('Enter');
    await first.page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    const kept = await first.page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie]),
    );
    expect(kept).not.toContain(stage.server.ownerToken);
    await first.close();
  });

  it('offers only what the credential may do', async () => {
    const { token } = await stage.server.client.call('keys.create', {
      actor_id: 'reader',
      actor_type: 'human',
      scopes: ['journal:read', 'dashboard:open'],
    });
    const made = await fetch(`${stage.server.url}/v1/dashboard/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const { path } = (await made.json()) as { path: string };
    const reader = await newDashboard(stage.browser(), stage.server);
    await reader.page.goto(`${stage.server.url}${path}`);
    await reader.page.getByRole('list', { name: 'Newest events' }).waitFor();
    const links = reader.page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['Home', 'Journal', 'Verify', 'Settings']);
    expect(await reader.page.getByRole('button', { name: 'Verify now' }).count()).toBe(0);
    await reader.close();
  });
}
