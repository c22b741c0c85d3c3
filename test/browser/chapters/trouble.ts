import { expect, it } from 'vitest';
import { signIn } from '../dashboard.ts';
import type { Stage } from '../stage.ts';

export function trouble(stage: Stage): void {
  it('reconnects by itself and shows what was written meanwhile', async () => {
    await stage.dashboard.open('/');
    const main = stage.page.getByRole('main');
    await main.getByText('Live', { exact: true }).waitFor();
    const port = Number(new URL(stage.server.url).port);
    await stage.server.close();
    await main.getByText('Reconnecting').waitFor();
    await stage.restart(0);
    await stage.makeKey('while-it-was-away');
    await stage.server.close();
    await stage.restart(port);
    await main.getByText('Live', { exact: true }).waitFor();
    await stage.page.getByRole('list', { name: 'Newest events' }).getByText('while-it-was-away').waitFor();
  });

  it('shows a journal that was changed, on the overview and on the page itself', async () => {
    await stage.server.app.db.write((uow) =>
      uow.run(
        "update events set payload = replace(payload, 'while-it-was-away', 'while-i-was-there') where payload like ?",
        ['%while-it-was-away%'],
      ),
    );
    await stage.page.getByRole('button', { name: 'Verify now' }).click();
    await stage.says('The journal was changed');
    await stage.shot('changed');
    await stage.dashboard.open('/journal');
    await stage.page.getByRole('alert').filter({ hasText: 'changed' }).waitFor();
    await stage.shot('changed-journal');
  });

  it('opens a page that could not be fetched as soon as the server is back', async () => {
    const seen = await signIn(stage.browser(), stage.server);
    const port = Number(new URL(stage.server.url).port);
    await stage.server.close();
    await seen.page.getByRole('link', { name: 'Verify' }).click();
    await seen.page.getByRole('alert').getByText('Baton does not answer').waitFor();
    await stage.restart(port);
    await seen.page.getByRole('heading', { name: 'Verify', level: 1 }).waitFor();
    await seen.close();
  });

  it('opens also while the server is away, and says that it is', async () => {
    const seen = await signIn(stage.browser(), stage.server);
    await seen.page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const port = Number(new URL(stage.server.url).port);
    await stage.server.close();
    await seen.page.goto(`${stage.server.url}/inbox`);
    await seen.page.getByRole('heading', { name: 'Baton is not running' }).waitFor();
    await stage.restart(port);
    await seen.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await seen.close();
  });

  it('ends the session on request and lets nothing more through', async () => {
    await stage.dashboard.open('/settings');
    await stage.page.getByRole('button', { name: 'Sign out' }).click();
    await stage.says('Or with a one-time link');
    await stage.page.goto(`${stage.server.url}/inbox`);
    await stage.says('Or with a one-time link');
    expect(stage.dashboard.complaints).toEqual([]);
  });
}
