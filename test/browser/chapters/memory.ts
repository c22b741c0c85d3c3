import { expect, it } from 'vitest';
import { seedMemory } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function memory(stage: Stage): void {
  const { main } = stage;

  it('says how a profile is made, and shows its memories by type and sensitivity', async () => {
    await stage.dashboard.open('/memory');
    await stage.says('npx baton-ledger memory create');
    await seedMemory(stage.server);
    const facts = main().getByRole('list', { name: 'Facts' });
    await facts.getByRole('button', { name: /allergic to penicillin.*restricted/ }).waitFor();
    await main().getByRole('list', { name: 'Habits' }).getByText('Reviews pull requests').waitFor();
    await main().getByRole('list', { name: 'Events' }).getByText('Shipped the payments').waitFor();
  });

  it('leads from a proposal to the question in the inbox', async () => {
    await main().getByRole('button', { name: 'Proposals' }).click();
    await main().getByText('Uses tabs in Go and spaces everywhere else').waitFor();
    await main().getByRole('link', { name: 'Decide in the inbox' }).click();
    await stage.page.getByRole('article').getByText('Tabs only in Go, please.').waitFor();
  });

  it('says who saw a memory, and erases it only after the word was typed', async () => {
    await stage.dashboard.open('/memory');
    await main()
      .getByRole('button', { name: /Prefers short answers/ })
      .click();
    const drawer = stage.page.getByRole('dialog', { name: 'Memory' });
    await drawer.getByRole('region', { name: 'Who saw it' }).getByText('coach').waitFor();
    await drawer.getByRole('button', { name: 'Erase…' }).click();
    const question = stage.page.getByRole('dialog', { name: 'Erase this memory for good?' });
    expect(await question.getByRole('button', { name: 'Erase for good' }).isDisabled()).toBe(true);
    await question.getByLabel(/to continue/).fill('erase');
    await question.getByRole('button', { name: 'Erase for good' }).click();
    await main()
      .getByRole('button', { name: /Prefers short answers/ })
      .first()
      .waitFor({ state: 'detached' });
    // The page leaves it out at once; the erasure is under way until it is done.
    const contents = async () =>
      (await stage.server.client.call('memory.list', {})).memories.map(({ memory }) => memory.content);
    await expect.poll(contents).not.toContain('Prefers short answers with the command first');
  });

  it('takes a policy and the access of an agent back', async () => {
    await main().getByRole('button', { name: 'Consent' }).click();
    await main().getByRole('list', { name: 'Access given' }).getByText('1 reading, 1 proposal').waitFor();
    await main().getByRole('button', { name: 'Revoke the access of coach' }).click();
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await main().getByRole('list', { name: 'Access given' }).getByText('Revoked').waitFor();
    await main().getByRole('button', { name: 'Take back Local agents read preferences' }).click();
    await stage.page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await main().getByText('Local agents read preferences').first().waitFor({ state: 'detached' });
  });
}
