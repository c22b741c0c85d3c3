import { expect, it } from 'vitest';
import { seedRun } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function runs(stage: Stage): void {
  const { main } = stage;

  it('says how a repository is attached, and shows its run as soon as it is', async () => {
    await stage.dashboard.open('/runs');
    await stage.says('npx baton-ledger run attach');
    stage.leftovers.push(await seedRun(stage.server));
    const run = main().getByRole('article', { name: /Run of baton-greeter/ });
    await run.getByText('Waiting at a gate').waitFor();
    const phases = run.getByRole('list', { name: 'Phases' }).getByRole('listitem');
    expect(await phases.allTextContents()).toEqual([
      'planning (now)',
      'implementation (ahead)',
      'qa (ahead)',
    ]);
    await run.getByRole('region', { name: 'Gate planning_signoff' }).getByText('Its checks pass.').waitFor();
  });

  it('shows what the gate approves: its documents, and the diff of the turns', async () => {
    await main().getByText('What gate planning_signoff approves').waitFor();
    await main()
      .getByRole('region', { name: '.planning/PM_SIGNOFF.md' })
      .getByText('Approved: YES')
      .waitFor();
    const changes = main().getByRole('region', { name: 'Changes' });
    await changes.getByText('+++ b/.planning/PM_SIGNOFF.md').waitFor();
    await main().getByText('What gate planning_signoff approves').waitFor();
  });

  it('shows turns, decisions and events', async () => {
    await main().getByRole('list', { name: 'Turns, newest first' }).getByText('Wrote down what').waitFor();
    await main().getByRole('button', { name: 'Decisions' }).click();
    await main().getByText('The greeter greets by name only').waitFor();
    await main().getByRole('button', { name: 'Events' }).click();
    await main().getByRole('list', { name: 'Events, newest first' }).getByText('Gate pending').waitFor();
  });

  it('leads to the gate in the inbox, and moves on when it is opened there', async () => {
    await main()
      .getByRole('link', { name: /Enter implementation.*Decide/ })
      .click();
    await stage.page.getByRole('article').getByText('Wrote down what the greeter does').waitFor();
    await stage.page.getByRole('article').getByText('Digest recomputed here').waitFor();
    await stage.page.getByRole('button', { name: 'Approve', exact: false }).first().click();
    const gate = stage.page.url();
    const dialog = stage.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.waitFor({ state: 'hidden' });
    // The next item has opened meanwhile.
    await stage.page.goto(gate);
    await stage.page.getByRole('article').getByText('The decision is recorded and applied.').waitFor();
    await stage.dashboard.open('/runs');
    const phases = main().getByRole('list', { name: 'Phases' });
    await phases.getByText('implementation (now)').waitFor();
  });
}
