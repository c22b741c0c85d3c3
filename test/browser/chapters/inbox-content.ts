import { expect, it } from 'vitest';
import type { Stage } from '../stage.ts';

/** What is shown of each kind of question, and how a proposal is changed before it is approved. */
export function inboxContent(stage: Stage): void {
  const open = async (kind: string) => {
    const { items } = await stage.server.client.call('inbox.list', { kind });
    await stage.dashboard.open(`/inbox?item=${items[0]?.id}`);
    return items[0]!.id;
  };

  it('shows the action that an agent asks for, and recomputes the digest of it', async () => {
    await open('carp_approval');
    const article = stage.page.getByRole('article');
    await article.getByText('Answer ticket 4711 and refund the double charge').waitFor();
    await article.getByText('payment.refund', { exact: true }).waitFor();
    await article.getByRole('region', { name: 'What it would run' }).getByText('pay_4711').waitFor();
    await article
      .getByText('This call of payment.refund, once, with exactly these parameters')
      .first()
      .waitFor();
    await article.getByText('Digest recomputed here').waitFor();
  });

  it('shows the content of a package that waits for review, and recomputes its digest', async () => {
    await open('package_review');
    const article = stage.page.getByRole('article');
    await article.getByText('Refund the later one', { exact: false }).waitFor();
    await article.getByText('Digest recomputed here').waitFor();
    expect(await article.getByRole('button', { name: 'Edit and approve' }).count()).toBe(0);
  });

  it('approves a memory with the words changed, and nothing else', async () => {
    const id = await open('memory_proposal');
    const article = stage.page.getByRole('article');
    await article.getByText('Tabs only in Go, please.').waitFor();
    await article.getByText('Said by the person').waitFor();
    await article.getByText('Ada', { exact: true }).waitFor();
    await article.getByText('did:a2p:agent:local:coach', { exact: true }).first().waitFor();
    await stage.page.keyboard.press('e');
    const dialog = stage.page.getByRole('dialog');
    const content = dialog.getByLabel('To be remembered');
    expect(await content.inputValue()).toBe('Uses tabs in Go and spaces everywhere else');
    await content.fill('Uses tabs in Go only');
    await dialog.getByRole('button', { name: 'Approve with edits' }).click();
    await dialog.waitFor({ state: 'hidden' });
    // The next item has opened meanwhile.
    await stage.dashboard.open(`/inbox?item=${id}`);
    await stage.page.getByRole('article').getByText('Approved with edits').first().waitFor();
    expect(await stage.server.client.call('inbox.get', { id })).toMatchObject({
      state: 'applied',
      decision: { decision: 'approve_with_edits' },
    });
    const { memories } = await stage.server.client.call('memory.list', {});
    expect(memories.map(({ memory }) => [memory.content, memory.category])).toContainEqual([
      'Uses tabs in Go only',
      'a2p:preferences.coding',
    ]);
  });
}
