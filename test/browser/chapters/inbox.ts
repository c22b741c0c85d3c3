import { expect, it } from 'vitest';
import { askForDecision } from '../ask-for-decision.ts';
import type { Stage } from '../stage.ts';

export function inbox(stage: Stage): void {
  it('brings a decision to the inbox at once and approves it by keyboard', async () => {
    await stage.dashboard.open('/inbox');
    await stage.says('Nothing is waiting for you');
    const id = await askForDecision(stage.server, 'Send the release notes', 'medium');
    await stage.says('Send the release notes');
    await stage.page.getByRole('link', { name: /Inbox.*1 waiting/ }).waitFor();
    await stage.page.keyboard.press('j');
    await stage.says('rules/ask-first');
    await stage.shot('inbox');
    await stage.page.keyboard.press('a');
    await stage.page.getByRole('dialog').getByText('Approve this?').waitFor();
    await stage.page.keyboard.press('Enter');
    await stage.page.getByRole('article').getByText('The decision is recorded and applied.').waitFor();
    const item = await stage.server.client.call('inbox.get', { id });
    expect(item).toMatchObject({
      state: 'applied',
      decision: { decision: 'approve', decided_by: { id: 'owner' } },
    });
  });

  it('rejects with a note, and shows what was decided', async () => {
    const id = await askForDecision(stage.server, 'Delete the backups', 'low');
    await stage.page.getByRole('button', { name: /Delete the backups/ }).click();
    await stage.page.getByRole('button', { name: 'Reject' }).click();
    await stage.page
      .getByRole('dialog')
      .getByLabel(/Why not/)
      .fill('Not before the audit.');
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await stage.page.getByRole('article').getByText('Not before the audit.').waitFor();
    expect(await stage.server.client.call('inbox.get', { id })).toMatchObject({
      decision: { decision: 'reject' },
    });
    await stage.page.getByRole('button', { name: 'Decided' }).click();
    await stage.page.getByRole('region', { name: 'Decided items' }).getByText('Delete the backups').waitFor();
  });

  it('shows a refusal with what to do next instead of a decision that was not made', async () => {
    const id = await askForDecision(stage.server, 'Rotate the keys', 'low');
    await stage.dashboard.open(`/inbox?item=${id}`);
    await stage.page.getByRole('button', { name: 'Approve' }).click();
    await stage.page.getByRole('dialog').waitFor();
    const { digest } = await stage.server.client.call('inbox.get', { id });
    await stage.server.client.call('inbox.decide', { id, digest, decision: 'reject' });
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await stage.page.getByRole('alert').filter({ hasText: 'Read the item to see the decision' }).waitFor();
    await stage.page.keyboard.press('Escape');
  });

  it('takes edits of a kind that it does not know as JSON, and says where they are none', async () => {
    const id = await askForDecision(stage.server, 'Write to the partners', 'low', true);
    await stage.dashboard.open(`/inbox?item=${id}`);
    await stage.page.getByRole('button', { name: 'Edit and approve' }).click();
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByLabel('Approve this instead').fill('{"to": ');
    await dialog.getByRole('button', { name: 'Approve with edits' }).click();
    await dialog.getByRole('alert').getByText('The edits are not valid JSON').waitFor();
    expect(await stage.server.client.call('inbox.get', { id })).toMatchObject({ state: 'open' });
    await dialog.getByLabel('Approve this instead').fill('{"to": "all"}');
    await dialog.getByRole('button', { name: 'Approve with edits' }).click();
    await stage.page.getByRole('article').getByText('The decision is recorded and applied.').waitFor();
    expect(await stage.server.client.call('inbox.get', { id })).toMatchObject({
      decision: { decision: 'approve_with_edits' },
    });
  });

  it('asks for the passphrase where a decision needs a person', async () => {
    const passphrase = 'three unrelated words';
    await stage.server.client.call('identity.passphrase_set', { passphrase });
    const id = await askForDecision(stage.server, 'Pay the invoice', 'critical');
    await stage.dashboard.open(`/inbox?item=${id}`);
    await stage.page
      .getByRole('article')
      .getByText('You will be asked to prove that you are here.')
      .waitFor();
    await stage.page.getByRole('button', { name: 'Approve' }).click();
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByLabel('Passphrase').fill('not the passphrase');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('The passphrase is wrong.').waitFor();
    await stage.shot('presence');
    await dialog.getByLabel('Passphrase').fill(passphrase);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await stage.page.getByRole('article').getByText('The decision is recorded and applied.').waitFor();
    expect(await stage.server.client.call('inbox.get', { id })).toMatchObject({ state: 'applied' });
  });
}
