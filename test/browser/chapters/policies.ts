import { expect, it } from 'vitest';
import { seedGovernance } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function policies(stage: Stage): void {
  const { main } = stage;

  it('says how an Atlas is loaded, and shows one as soon as it is', async () => {
    await stage.dashboard.open('/policies');
    await stage.says('No Atlas is loaded');
    await stage.says('npx baton-ledger atlas load ./my-atlas');
    await seedGovernance(stage.server);
    const atlas = stage.page.getByRole('article', { name: 'Support desk' });
    await atlas.getByText('Enforced').waitFor();
    await atlas.getByText('A person approves refunds').waitFor();
    await atlas.getByText('Sends money back to the customer.').waitFor();
    await atlas.getByText(/remarks about these rules/).click();
    await atlas.getByText('Nobody can ever run account.delete').waitFor();
  });

  it('explains which policy decides, which fit, and where the rest fail', async () => {
    await main().getByRole('button', { name: 'Try a decision' }).click();
    await main().getByLabel('Agent').fill('intern');
    await main().getByLabel('Action').fill('payment.refund');
    await main().getByLabel('Parameters').fill('[1]');
    await main().getByRole('button', { name: 'Explain' }).click();
    await main().getByText('The parameters must be a JSON object').waitFor();
    await main().getByLabel('Parameters').fill('{"amount": 40}');
    await main().getByRole('button', { name: 'Explain' }).click();
    const decision = main().getByRole('article', { name: 'Decision about payment.refund' });
    await decision.getByText('A person decides').waitFor();
    const winner = decision.getByRole('listitem').filter({ hasText: 'Decides' });
    expect(await winner.getByText('refunds-need-a-person').count()).toBe(1);
    await decision.getByText('4 policies that did not fit').click();
    const others = decision.getByRole('listitem').filter({ hasText: 'allow-payments' });
    await others.getByText('It covers other agents.').waitFor();
  });

  it('shows a refusal of the server where there is no such action', async () => {
    await main().getByLabel('Action').fill('no.such');
    await main().getByRole('button', { name: 'Explain' }).click();
    await main().getByRole('alert').getByText('action_not_found').waitFor();
  });

  it('lists what was decided about an agent, each with its rule', async () => {
    await main().getByRole('button', { name: 'Recent decisions' }).click();
    const row = main().getByRole('list', { name: 'Decisions, newest first' }).getByRole('link');
    await row.filter({ hasText: 'account.delete' }).getByText('never-delete').waitFor();
    await row.filter({ hasText: 'payment.refund' }).getByText('A person decides').first().click();
    await stage.page.getByRole('dialog').getByText('Hash recomputed in this browser').waitFor();
  });

  it('shows the rules of another project, and how to give it some', async () => {
    await stage.server.client.call('projects.create', { project_id: 'quiet', name: 'Quiet' });
    await stage.dashboard.open('/policies');
    await stage.page.getByRole('article', { name: 'Support desk' }).waitFor();
    await main().getByLabel('Project').selectOption('quiet');
    await stage.says('npx baton-ledger atlas load ./my-atlas --project quiet');
    expect(await stage.page.getByRole('article', { name: 'Support desk' }).count()).toBe(0);
  });
}
