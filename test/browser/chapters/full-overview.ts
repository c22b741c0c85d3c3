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
    await main().getByText('Nobody has deposited anything in the last day.').waitFor();
    expect(await main().getByRole('heading', { name: 'Waiting for you' }).count()).toBe(0);
  });
}

export function fullOverview(stage: Stage): void {
  const { main } = stage;

  it('says what waits, what was decided since yesterday and who worked', async () => {
    await stage.dashboard.open('/');
    await main().getByRole('list', { name: 'Decided since yesterday' }).getByText('Keys expire').waitFor();
    await main().getByRole('region', { name: 'Last sessions' }).getByText('planner').waitFor();
    await main()
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
