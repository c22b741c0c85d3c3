import { expect, it } from 'vitest';
import { violations } from '../accessibility.ts';
import { seedMemory } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function memory(stage: Stage): void {
  const { main } = stage;

  it('says how a profile is made, and shows its memories by type and sensitivity', async () => {
    await stage.dashboard.open('/memory');
    await main().getByRole('button', { name: 'Create my profile' }).waitFor();
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

  it('adds a memory, corrects it and moves it to another type, on the page alone', async () => {
    await stage.dashboard.open('/memory');
    await main().getByRole('button', { name: 'Add a memory' }).click();
    const form = stage.page.getByRole('dialog', { name: 'Add a memory' });
    await form.getByLabel('What to remember').fill('Keeps the release notes short');
    await form.getByLabel('What it is').selectOption('semantic');
    await form.getByLabel('Category').fill('a2p:professional');
    expect(await violations(stage.page)).toEqual([]);
    await stage.shot('memory-add');
    await form.getByRole('button', { name: 'Remember it' }).click();
    const drawer = stage.page.getByRole('dialog', { name: 'Memory', exact: true });
    await drawer.getByText('Keeps the release notes short').first().waitFor();
    await drawer.getByRole('button', { name: 'Correct…' }).click();
    const correction = stage.page.getByRole('dialog', { name: 'Correct this memory' });
    await correction.getByLabel('What to remember').fill('Writes release notes of five lines');
    await correction.getByLabel('What it is').selectOption('procedural');
    await correction.getByRole('button', { name: 'Save' }).click();
    await drawer.getByText('Writes release notes of five lines').first().waitFor();
    await drawer.getByText('a habit').first().waitFor();
    await drawer.getByRole('button', { name: 'Pin', exact: true }).click();
    await drawer.getByRole('button', { name: 'Unpin' }).waitFor();
    await drawer.getByRole('button', { name: 'Put away' }).click();
    await drawer.getByRole('button', { name: 'Use again' }).click();
    await drawer.getByRole('button', { name: 'Put away' }).waitFor();
    const { memories } = await stage.server.client.call('memory.list', { type: 'procedural' });
    expect(memories.map(({ memory }) => memory)).toContainEqual(
      expect.objectContaining({
        content: 'Writes release notes of five lines',
        category: 'a2p:professional',
      }),
    );
  });

  it('gives consent and changes it, and keeps what the form has no field for', async () => {
    await stage.dashboard.open('/memory?view=consent');
    await main().getByRole('button', { name: 'Give consent' }).click();
    const form = stage.page.getByRole('dialog', { name: 'Give consent' });
    await form.getByLabel('Name').fill('Reviewers');
    await form.getByLabel('Agents').fill('did:a2p:agent:local:review-*');
    await form.getByLabel('Of these categories').fill('a2p:professional');
    expect(await violations(stage.page)).toEqual([]);
    await form.getByRole('button', { name: 'Give consent' }).click();
    const policies = main().getByRole('list', { name: 'Policies' });
    await policies.getByText('Reviewers').waitFor();
    const { client } = stage.server;
    const kept = async () => {
      const listed = await client.call('memory.policies', {});
      return listed.policies.find((each) => (each as { name?: string }).name === 'Reviewers') as {
        readonly id: string;
      };
    };
    const conditions = { minTrustScore: 0.5 };
    await client.call('memory.policy.put', { ...(await kept()), conditions } as never);
    await stage.dashboard.open('/memory?view=consent');
    await main().getByRole('button', { name: 'Change Reviewers' }).click();
    const change = stage.page.getByRole('dialog', { name: 'Change this consent' });
    await change.getByLabel('They may').selectOption('read_public');
    await change.getByRole('button', { name: 'Save' }).click();
    await policies.getByText('read public').waitFor();
    expect(await kept()).toMatchObject({ permissions: ['read_public', 'propose'], conditions });
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
