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

  it('loads a draft from the page once its impact on real decisions was shown', async () => {
    await stage.dashboard.open('/policies?view=workbench');
    await main().getByRole('button', { name: 'Edit Support desk' }).click();
    const source = main().getByLabel('Source of the Atlas');
    const text = await source.inputValue();
    const rules = main().getByRole('list', { name: 'Rules of the draft' });
    await rules.getByText('Nobody may run account.delete').waitFor();

    await source.fill(text.replace('"1.2.0"', '"1.2.0'));
    await main().getByText('Cannot be loaded yet').waitFor();
    expect(await main().getByRole('button', { name: 'Load', exact: true }).isDisabled()).toBe(true);

    const draft = text.replace('"1.2.0"', '"1.3.0"').replace('"type": "require_approval"', '"type": "deny"');
    await source.fill(draft);
    await rules
      .getByRole('listitem')
      .filter({ hasText: 'refunds-need-a-person' })
      .getByText('Changed')
      .waitFor();
    await main()
      .getByRole('heading', { name: /Of [0-9,]+ real decisions?, \d+ changes?/ })
      .waitFor();
    const changed = main().getByRole('list', { name: 'Decisions that change' });
    await changed.getByText('payment.refund').first().waitFor();

    await main().getByRole('button', { name: 'Load 1.3.0' }).click();
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByText('It takes the place of 1.2.0.').waitFor();
    await dialog.getByRole('button', { name: 'Load' }).click();
    await main().getByText('Drop an Atlas here').waitFor();
    const { version } = await stage.server.client.call('atlas.get', { atlas_id: 'com.example.support' });
    expect(version).toBe('1.3.0');
  });

  it('reads an Atlas that is dropped as a file', async () => {
    await stage.dashboard.open('/policies?view=workbench');
    const file = {
      name: 'atlas.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"atlas_id":"x.y"}'),
    };
    await main().locator('input[type="file"]').setInputFiles(file);
    await main().getByRole('list', { name: 'Remarks' }).getByRole('listitem').first().waitFor();
  });

  it('shows the rules of another project, and how to give it some', async () => {
    await stage.server.client.call('projects.create', { project_id: 'quiet', name: 'Quiet' });
    await stage.dashboard.open('/policies');
    await stage.page.getByRole('article', { name: 'Support desk' }).waitFor();
    await stage.page.getByLabel('Project', { exact: true }).selectOption('quiet');
    await stage.says('npx baton-ledger atlas load ./my-atlas --project quiet');
    expect(await stage.page.getByRole('article', { name: 'Support desk' }).count()).toBe(0);
    await stage.page.getByLabel('Project', { exact: true }).selectOption('default');
    await stage.page.getByRole('article', { name: 'Support desk' }).waitFor();
  });
}
