import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { checkWhy } from '../../../packages/client/src/verify.ts';
import type { Stage } from '../stage.ts';

export function why(stage: Stage): void {
  const { main } = stage;
  const answer = () => main().getByRole('region', { name: 'Answer' });

  it('leads from an object to its first cause in two clicks', async () => {
    await stage.dashboard.open('/context?view=packages');
    await main().getByText('Runbook for double charges').first().click();
    await stage.page.getByRole('dialog').getByRole('link', { name: 'Why?' }).click();
    await stage.page.getByRole('heading', { name: 'Why', level: 1 }).waitFor();
    const graph = answer().getByRole('region', { name: 'What it rests on' });
    const sessions = graph.getByRole('button', { name: /Started a session/ });
    await sessions.first().click();
    await answer().getByRole('list', { name: 'What happened' }).getByText('started a session').waitFor();
  });

  it('makes what is chosen the question, and says when nothing came before it', async () => {
    await answer().getByRole('button', { name: 'Why this?' }).click();
    await answer().getByText('Nothing came before this.').waitFor();
    await stage.page.goBack();
    await answer().getByRole('button', { name: 'Why this?' }).waitFor();
  });

  it('hands out one file that proves it, after checking it here', async () => {
    await answer().getByRole('button', { name: 'Make the proof' }).click();
    await answer().getByText('It holds.').waitFor();
    const downloading = stage.page.waitForEvent('download');
    await answer()
      .getByRole('button', { name: /Download why.json/ })
      .click();
    const text = await readFile(await (await downloading).path(), 'utf8');
    expect(await checkWhy(text)).toMatchObject({ valid: true });
  });

  it('is printed as a sheet that names the file by its hash, without what stands around it', async () => {
    const sheet = stage.page.getByRole('article').filter({ hasText: 'Check it again' });
    expect(await sheet.isVisible()).toBe(false);
    await stage.page.emulateMedia({ media: 'print' });
    await sheet.getByText('every step holds').waitFor();
    await sheet.getByText(/^[0-9a-f]{64}$/).waitFor();
    expect(await main().isVisible()).toBe(false);
    await stage.shot('why-print');
    await stage.page.emulateMedia({ media: null });
    await main().waitFor();
  });

  it('says of an id that it does not know that nothing is known', async () => {
    await stage.dashboard.open('/why?id=no-such-thing-1');
    await main().getByRole('alert').getByText('nothing_known').waitFor();
  });

  it('finds an id, a phrase, an item, a session and a memory from any page', async () => {
    const { client } = stage.server;
    const [given] = await client.call('packages.list', { project_id: 'default', limit: 1 });
    const find = async (words: string, found: string | RegExp) => {
      await stage.dashboard.open('/settings');
      await stage.page.keyboard.press('Control+k');
      await stage.page.keyboard.type(words);
      const option = stage.page.getByRole('option').filter({ hasText: found }).first();
      await option.waitFor();
      await option.click();
      await stage.page.getByRole('combobox', { name: 'Go to' }).waitFor({ state: 'detached' });
    };
    await find(String(given?.package_id), 'Why package');
    await answer().waitFor();
    await find('idempotent payments', 'Idempotent payments are built and tested');
    await stage.page.getByRole('dialog').getByRole('heading', { name: 'Idempotent payments' }).waitFor();
    await find('Runbook for double', 'Package review');
    await stage.page.waitForURL(/inbox\?item=/);
    await find('ticket-4711', /ticket-4711\s*Session/);
    await stage.page.getByRole('region', { name: 'Session ticket-4711' }).waitFor();
    await find('pull requests', /Reviews pull requests.*Memory/);
    await stage.page.getByRole('dialog').getByText('Reviews pull requests').first().waitFor();
  });

  it('shows what relied on a package, and keeps all of it from agents until it is put back', async () => {
    const { client } = stage.server;
    const deposit = (package_id: string, parents: readonly string[]) =>
      client.call('packages.deposit', {
        project_id: 'default',
        package: {
          package_id,
          project_id: 'default',
          relay_version: '0.1',
          title: `Relied on, ${package_id}`,
          status: 'complete',
          review_type: 'none',
          package_type: 'standard',
          created_at: '2026-01-01T00:00:00Z',
          created_by: { id: 'owner', type: 'human' },
          'x-parents': [...parents],
        } as never,
      });
    await deposit('wrong-source', []);
    await deposit('built-on-it', ['wrong-source']);
    await deposit('built-on-that', ['built-on-it']);
    await stage.dashboard.open('/why?id=wrong-source&kind=package');
    const relied = answer().getByRole('list', { name: 'What relied on this' });
    await relied.getByText('built-on-that').waitFor();
    await stage.shot('why-forward');
    await answer().getByRole('button', { name: 'Quarantine…' }).click();
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Quarantine 3' }).click();
    await dialog.getByText('3 packages in quarantine.').waitFor();
    const { packages } = await client.call('packages.quarantined', { project_id: 'default' });
    expect(packages.map(({ package_id: id }) => id).sort()).toEqual([
      'built-on-it',
      'built-on-that',
      'wrong-source',
    ]);
    await dialog.getByRole('button', { name: 'Put back' }).click();
    await dialog.getByText('3 packages put back.').waitFor();
    await stage.page.keyboard.press('Escape');
    await relied
      .getByRole('button', { name: /built-on-it/ })
      .first()
      .click();
    await answer()
      .getByRole('heading', { name: /built-on-it/ })
      .waitFor();
  });

  it('takes Enter for what is not answered yet, and says when there is nothing', async () => {
    await stage.dashboard.open('/');
    await stage.page.keyboard.press('Control+k');
    await stage.page.keyboard.type('ticket-4711');
    await stage.page.keyboard.press('Enter');
    await stage.page.getByRole('region', { name: 'Session ticket-4711' }).waitFor();
    await stage.page.keyboard.press('Control+k');
    await stage.page.keyboard.type('xyzzyplugh');
    await stage.says('Nothing goes by these words.');
    await stage.page.keyboard.press('Escape');
  });
}
