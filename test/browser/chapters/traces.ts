import { expect, it } from 'vitest';
import { seedSpans } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function traces(stage: Stage): void {
  const { main } = stage;

  it('says how spans come here, and shows a trace soon after it arrives', async () => {
    await stage.dashboard.open('/traces');
    await stage.says('No agent has spoken yet');
    await seedSpans(stage.server);
    const spans = main().getByRole('list', { name: 'Spans' }).getByRole('button');
    await spans.first().waitFor();
    expect((await spans.allTextContents()).map((text) => text.split(/[\s0-9]/)[0])).toEqual([
      'orchestrator',
      'planner',
      'builder',
      'payments',
      'payments',
      'payments',
      'reviewer',
    ]);
  });

  it('shows what failed, with its attributes', async () => {
    await main()
      .getByRole('button', { name: /refund.create failed: Card network timeout/ })
      .click();
    const drawer = stage.page.getByRole('dialog');
    await drawer.getByRole('alert').getByText('Card network timeout').waitFor();
    await drawer.getByRole('region', { name: 'Attributes' }).getByText('gen_ai.agent.name').waitFor();
    await stage.page.keyboard.press('Escape');
  });

  it('draws who handed over to whom', async () => {
    await main().getByRole('button', { name: 'Agents (5)' }).click();
    const agents = main().getByRole('region', { name: 'Agents of the session' });
    const nodes = agents.getByRole('listitem');
    await agents.getByText('payments').waitFor();
    const left = async (name: string) => (await nodes.filter({ hasText: name }).boundingBox())?.x ?? 0;
    expect(await left('orchestrator')).toBeLessThan(await left('builder'));
    expect(await left('builder')).toBeLessThan(await left('payments'));
  });

  it('shows nothing of it in another project', async () => {
    await stage.server.client.call('projects.create', { project_id: 'silent', name: 'Silent' });
    await stage.dashboard.open('/traces');
    await main().getByRole('list', { name: 'Spans' }).first().waitFor();
    await main().getByLabel('Project').selectOption('silent');
    await stage.says('No agent has spoken yet');
    await stage.dashboard.open('/traces');
  });

  it('shows another session that comes in, and goes to it', async () => {
    await seedSpans(stage.server, 'release-2.4', 1);
    await main().getByRole('navigation', { name: 'Sessions' }).getByText('release-2.4').click();
    await main().getByRole('region', { name: 'Session release-2.4' }).waitFor();
  });
}
