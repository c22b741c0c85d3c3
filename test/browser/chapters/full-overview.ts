import { expect, it } from 'vitest';
import type { Stage } from '../stage.ts';

/** What a newcomer sees, and what somebody sees who comes back to a team at work. */
export function newcomersOverview(stage: Stage): void {
  const { main } = stage;

  it('tells a newcomer what to do first', async () => {
    await stage.dashboard.open('/');
    await main().getByText('Connect a coding agent').waitFor();
    await main().getByText('Deposit the first package').waitFor();
    await main().getByText('Define what agents may do').waitFor();
    await main().getByText('Nobody has worked in the last three hours').waitFor();
    await main().getByText('Nothing waits for you', { exact: true }).waitFor();
  });
}

export function fullOverview(stage: Stage): void {
  const { main } = stage;

  it('says in one line how many work and wait, and shows them', async () => {
    await stage.dashboard.open('/');
    const counts = await stage.server.client.call('inbox.counts', {});
    await main()
      .getByRole('heading', { name: new RegExp(`agents? live, ${counts.mine} wait`), level: 1 })
      .waitFor();
    const lanes = main().getByRole('list', { name: 'At work now' });
    await lanes.getByRole('link').filter({ hasText: 'planner' }).first().waitFor();
    await lanes.getByText('Waits for you').first().waitFor();
    await main().getByRole('table', { name: 'What waits, by risk and time left' }).waitFor();
  });

  it('draws what happened over time, and says it to those who do not see it', async () => {
    await main()
      .getByRole('figure', { name: 'Events over time, by who caused them' })
      .locator('canvas')
      .waitFor();
    const asked = main().getByRole('figure', { name: 'Calls asked over time' });
    await asked.locator('canvas').waitFor();
    expect(Number(await asked.getByRole('cell').innerText())).toBeGreaterThan(0);
    await main().getByRole('button', { name: '7 d' }).click();
    await main().getByText('events every 3 h').waitFor();
  });

  it('tells what changed until somebody says that it was seen', async () => {
    const changed = main().getByRole('list', { name: 'Changed since you last looked' });
    await changed.getByRole('listitem').first().waitFor();
    await main().getByRole('button', { name: 'Mark as seen' }).click();
    await main().getByText('Nothing new').waitFor();
    await stage.server.client.call('facts.state', { subject: 'home', predicate: 'seen', value: 'yes' });
    await changed.getByText('Fact asserted').waitFor();
    expect(await changed.getByRole('listitem').count()).toBe(1);
  });

  it('leads from what presses to its item', async () => {
    await main()
      .getByRole('list', { name: 'What presses most' })
      .getByRole('link', { name: /Runbook for double charges/ })
      .click();
    await stage.page.getByRole('article', { name: 'Runbook for double charges' }).waitFor();
  });

  it('leaves out what is done, and the whole list with the last of it', async () => {
    await stage.dashboard.open('/');
    await main().getByText('Check the record yourself').waitFor();
    for (const done of ['Connect a coding agent', 'Deposit the first package', 'Define what agents may do']) {
      expect(await main().getByText(done).count()).toBe(0);
    }
    await main().getByRole('button', { name: 'Verify now' }).click();
    await main().getByText('Intact').waitFor();
    await main().getByRole('heading', { name: 'Next steps' }).waitFor({ state: 'detached' });
  });
}
