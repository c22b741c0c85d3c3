import { expect, it } from 'vitest';
import { seedConversation, seedSpans } from '../seed/index.ts';
import type { Stage } from '../stage.ts';

export function traces(stage: Stage): void {
  const { main } = stage;

  it('says how spans come here, and shows a trace soon after it arrives', async () => {
    await stage.dashboard.open('/traces');
    await stage.says('No agent has spoken yet');
    await seedSpans(stage.server);
    const spans = main().getByRole('list', { name: 'Spans' }).getByRole('button');
    await spans.first().waitFor();
    const rows = await spans.allInnerTexts();
    expect(
      rows.map((row) => /[a-z]+(?= → |\n)|[a-z]+$/m.exec(row) && row.includes('orchestrator')).length,
    ).toBe(7);
    expect(rows[0]).toContain('handle ticket 4711');
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
    await agents.getByText('payments').waitFor();
    const left = async (name: string) =>
      (await agents.getByText(name, { exact: true }).boundingBox())?.x ?? 0;
    expect(await left('orchestrator')).toBeLessThan(await left('builder'));
    expect(await left('builder')).toBeLessThan(await left('payments'));
    const handovers = main().getByRole('table', { name: 'Handovers' }).getByRole('row');
    await handovers.filter({ hasText: 'builder → payments' }).waitFor();
  });

  it('shows nothing of it in another project', async () => {
    await stage.server.client.call('projects.create', { project_id: 'silent', name: 'Silent' });
    await stage.dashboard.open('/traces');
    await main().getByRole('list', { name: 'Spans' }).first().waitFor();
    await stage.page.getByLabel('Project', { exact: true }).selectOption('silent');
    await stage.says('No agent has spoken yet');
    await stage.page.getByRole('link', { name: 'Context', exact: true }).click();
    await stage.page.getByRole('heading', { name: 'Context', level: 1 }).waitFor();
    expect(await stage.page.getByLabel('Project', { exact: true }).inputValue()).toBe('silent');
    await stage.page.getByLabel('Project', { exact: true }).selectOption('default');
    await stage.dashboard.open('/traces');
  });

  it('shows another session that comes in, and goes to it', async () => {
    await seedSpans(stage.server, 'release-2.4', 1);
    await main().getByRole('navigation', { name: 'Sessions' }).getByText('release-2.4').click();
    await main().getByRole('region', { name: 'Session release-2.4' }).waitFor();
  });

  it('finds a span by what it carries, and only those that failed', async () => {
    await stage.dashboard.open('/traces?session=ticket-4711&view=spans');
    const spans = main().getByRole('list', { name: 'Spans' }).getByRole('button');
    await main().getByText('7 spans', { exact: true }).waitFor();
    await main().getByLabel('Attribute').fill('agent.id=reviewer');
    await expect.poll(() => spans.count()).toBe(1);
    await main().getByLabel('Attribute').fill('');
    await main().getByRole('button', { name: 'Only errors' }).click();
    await spans.filter({ hasText: 'refund.create' }).first().waitFor();
    await expect.poll(() => spans.count()).toBe(1);
  });

  it('shows what was said as it was written, beside where the time went', async () => {
    await seedConversation(stage.server, 'github:octo/shop#8');
    await stage.dashboard.open(`/traces?session=${encodeURIComponent('github:octo/shop#8')}`);
    await main().getByRole('heading', { name: 'github:octo/shop#8' }).waitFor();
    const said = main().getByRole('list', { name: 'Conversation' });
    await said.locator('strong', { hasText: 'fix it' }).first().waitFor();
    const row = main()
      .getByRole('list', { name: 'Spans' })
      .getByRole('button')
      .filter({ hasText: 'claude-sonnet-4-5' });
    expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toContain('2,630 $0.0127');
  });

  it('compares two traces step by step', async () => {
    await main().getByRole('button', { name: 'Compare' }).click();
    const steps = main().getByRole('list', { name: 'Steps' }).getByRole('listitem');
    await steps.filter({ hasText: 'stripe.refunds.cancel' }).getByText('status differs').waitFor();
  });

  it('draws how fast each agent was over time, whoever fails most first', async () => {
    await main().getByRole('button', { name: 'Over time' }).click();
    await main().getByRole('figure', { name: 'Latency of refund-bot over time' }).locator('canvas').waitFor();
  });

  it('draws of a long trace only what is in sight', async () => {
    await seedConversation(stage.server, 'long-session', 1_500);
    await stage.dashboard.open('/traces?session=long-session');
    await main()
      .getByText(/1,506 spans in/)
      .first()
      .waitFor();
    const drawn = await main().getByRole('list', { name: 'Spans' }).getByRole('listitem').count();
    expect(drawn).toBeGreaterThan(10);
    expect(drawn).toBeLessThan(100);
  });

  it('reads the rest of a long trace where one goes to, or comes from a link', async () => {
    const { client } = stage.server;
    const { items } = await client.call('relay.traces', { session_id: 'long-session' });
    const { rows } = await client.call('relay.waterfall', { trace_id: items[0]?.trace_id ?? '' });
    const waterfall = main().getByRole('region', { name: 'Waterfall' });
    const row = (at: number) =>
      main()
        .getByRole('list', { name: 'Spans' })
        .locator(`li[aria-posinset="${at + 1}"]`)
        .getByRole('button');
    await waterfall.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await row(rows.length - 1).waitFor();
    expect(await row(rows.length - 1).innerText()).toContain(rows.at(-1)?.model ?? rows.at(-1)?.tool ?? '');
    await stage.dashboard.open(`/traces?session=long-session&span=${rows[700]?.span_id}`);
    // Behind the drawer it has no role.
    await main().page().locator(`li[aria-posinset="701"] > button[aria-current="true"]`).waitFor();
    await stage.page.keyboard.press('Escape');
  });
}
