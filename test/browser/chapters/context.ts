import { expect, it } from 'vitest';
import { seedContext } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function contextWithoutWork(stage: Stage): void {
  it('says how the first package is made where there is none', async () => {
    await stage.dashboard.open('/context');
    await stage.says('Nobody has deposited anything yet');
    await stage.says(/npx baton-ledger deposit/);
    await stage.dashboard.open('/context?view=facts');
    await stage.says(/npx baton-ledger facts assert/);
  });

  it('shows work as soon as it is deposited', async () => {
    await stage.dashboard.open('/context');
    await seedContext(stage.server);
    await stage.page.getByRole('region', { name: 'Handoffs' }).getByText('Roll-out waits').waitFor();
  });
}

export function context(stage: Stage): void {
  const { main } = stage;

  it('tells at a glance what was handed over, decided, left open and is true', async () => {
    await stage.dashboard.open('/context');
    await main().getByText('then raise the flag to 10 %').waitFor();
    await main().getByText('Should refunds share the key space with payments?').waitFor();
    await main().getByText('Keys expire after 24 hours').waitFor();
    await main().getByText('/payments', { exact: true }).waitFor();
  });

  it('finds a package by meaning and shows what it was built on', async () => {
    await stage.page.getByRole('button', { name: 'Packages' }).click();
    await main().getByLabel('Search by words and by meaning').fill('charging a customer two times');
    await stage.page.keyboard.press('Enter');
    await stage.page
      .getByRole('list', { name: 'Results, best first' })
      .getByText('Runbook for double')
      .click();
    const drawer = stage.page.getByRole('dialog');
    await drawer.getByText('Find the idempotency key', { exact: false }).waitFor();
    await drawer.getByRole('button', { name: 'Lineage' }).click();
    await drawer.getByRole('button', { name: /Idempotent payments are built/ }).click();
    await stage.page.waitForURL(/package=pkg_/);
    await drawer.getByRole('heading', { name: 'Idempotent payments are built and tested' }).waitFor();
    await drawer.getByRole('button', { name: 'JSON' }).click();
    await drawer.getByRole('region', { name: 'The package as JSON' }).getByText('"relay_version"').waitFor();
    await stage.page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('opens a package by keyboard alone', async () => {
    await stage.dashboard.open('/context?view=packages');
    await stage.page.keyboard.press('j');
    await stage.page.keyboard.press('j');
    await stage.page.keyboard.press('Enter');
    await stage.page.getByRole('dialog').getByText('Hash', { exact: true }).waitFor();
    await stage.page.keyboard.press('Escape');
  });

  it('says in the server’s words what to do about a project that is not there', async () => {
    await stage.dashboard.open('/context?project=no-such-project');
    const problem = stage.main().getByRole('alert');
    await problem.getByText('project_not_found').waitFor();
    await problem.getByRole('button', { name: 'Try again' }).waitFor();
  });

  it('keeps what a fact said before, and goes back to a day on which nothing was known', async () => {
    await stage.dashboard.open('/context?view=facts');
    const facts = stage.page.getByRole('list', { name: 'Facts' });
    await facts.getByText('450 requests/s').first().click();
    const past = stage.page.getByRole('list', { name: 'staging load-limit over time' }).getByRole('listitem');
    // What it says now is there before its past is read.
    await expect
      .poll(async () => (await past.allTextContents()).map((text) => text.split('/s')[0]))
      .toEqual(['450 requests', '200 requests']);
    await main().getByLabel('As of').fill('2020-01-01');
    await stage.says('Nothing was known then');
  });

  it('shows a subject over time, and what was believed at an instant', async () => {
    const { client } = stage.server;
    const hour = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString();
    const terms = { subject: 'terms', predicate: 'refund-window' };
    await client.call('facts.state', { ...terms, value: '14 days', valid_from: hour(5) });
    await client.call('facts.state', { ...terms, value: '30 days', valid_from: hour(2) });
    await stage.dashboard.open(`/context?view=facts&subject=terms&at=${hour(1)}`);
    const lanes = stage.page.getByRole('list', { name: 'Values over time' });
    await lanes.getByText('14 days').waitFor();
    await stage.says('2 learned late');
    const table = stage.page.getByRole('region', { name: 'Believed and true' });
    await table.getByText('1 of 1 believed wrongly.').waitFor();
    expect((await table.getByRole('row').last().innerText()).split(/\s{2,}|\t/)).toEqual([
      'refund-window',
      'nothing',
      '30 days',
    ]);
    await stage.page.getByLabel('As of', { exact: true }).fill(String(Math.ceil(Date.now() / 1000)));
    await table.getByText('What was believed was true.').waitFor();
  });
}
