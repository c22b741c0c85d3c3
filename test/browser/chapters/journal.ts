import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Stage } from '../stage.ts';

export function journal(stage: Stage): void {
  it('filters the journal, recomputes its hashes here and proves an event by a file', async () => {
    await stage.dashboard.open('/journal');
    await stage.says('Checked in this browser:');
    await stage.page.getByLabel('Event type').fill('key.*');
    await stage.page.getByRole('button', { name: 'Filter' }).click();
    const rows = stage.page.getByRole('list', { name: 'Events, newest first' }).getByRole('button');
    await stage.page.waitForURL(/type=key/);
    await rows.filter({ hasText: 'Signed in' }).first().waitFor({ state: 'detached' });
    for (const row of await rows.allTextContents()) expect(row).toContain('Key created');
    await rows.first().click();
    await stage.page.getByRole('dialog').getByText('Hash recomputed in this browser').waitFor();
    await stage.page.getByRole('button', { name: 'Prove', exact: true }).click();
    await stage.page.getByRole('dialog').getByText('The proof holds.').waitFor();
    await stage.shot('proof');
    const download = stage.page.waitForEvent('download');
    await stage.page.getByRole('button', { name: 'Download the proof' }).click();
    const file = join(stage.shots, 'proof.json');
    await (await download).saveAs(file);

    await stage.dashboard.open('/verify');
    await stage.page.getByRole('button', { name: 'Take this server’s key' }).click();
    await stage.page.getByLabel(/Drop files here/).setInputFiles(file);
    await stage.says('with the key that you trust');
    const forged = join(stage.shots, 'forged.json');
    await writeFile(forged, (await readFile(file, 'utf8')).replace('held-agent', 'evil-agent'));
    await stage.page.getByLabel(/Drop files here/).setInputFiles(forged);
    await stage.page.getByText('hash_mismatch').waitFor();
    await stage.shot('verify');
  });

  it('turns the pages of the journal back to its beginning', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, n) => stage.makeKey(`page-filler-${n}`)));
    await stage.dashboard.open('/journal');
    await stage.page.getByText('page-filler', { exact: false }).first().waitFor();
    await stage.page.getByRole('button', { name: 'Older' }).click();
    await stage.page.waitForURL(/before=/);
    await stage.page.getByText('first-agent').waitFor();
    expect(await stage.page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await stage.page.getByRole('button', { name: 'Newest' }).click();
    await stage.page.getByText('first-agent').first().waitFor({ state: 'detached' });
  });
}
