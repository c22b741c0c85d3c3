import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { seriousViolations } from './accessibility.ts';
import { askForDecision, KIND } from './ask-for-decision.ts';
import { buildDashboard, initialScriptBytes } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { type Dashboard, newDashboard, signIn } from './dashboard.ts';

const PAGES = ['/', '/inbox', '/journal', '/verify', '/settings'];

describeInChromium('the dashboard', (browser) => {
  let server: TestServer;
  let dashboard: Dashboard;
  let page: Page;
  let shots: string;
  let dataDir: string;

  beforeAll(async () => {
    await buildDashboard();
    shots = await mkdtemp(join(tmpdir(), 'baton-dashboard-'));
    dataDir = await mkdtemp(join(tmpdir(), 'baton-test-'));
    server = await startTestServer({ dataDir });
    server.app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
    dashboard = await signIn(browser(), server);
    page = dashboard.page;
  });

  afterAll(async () => {
    await dashboard?.close();
    await server?.close();
    await rm(dataDir, { recursive: true, force: true });
    console.log(`screenshots: ${shots}`);
  });

  const shot = (name: string) => page.screenshot({ path: join(shots, `${name}.png`) });
  const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const makeKey = (actor_id: string) => server.client.call('keys.create', { actor_id, actor_type: 'agent' });

  it('fits its first page into 150 kB of compressed script', async () => {
    const bytes = await initialScriptBytes();
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
  });

  it('says how to sign in to whoever is not', async () => {
    const stranger = await newDashboard(browser(), server);
    await stranger.open('/journal');
    await stranger.page.getByText('npx baton open').waitFor();
    expect(await seriousViolations(stranger.page)).toEqual([]);
    await stranger.page.screenshot({ path: join(shots, 'sign-in.png') });
    await stranger.close();
  });

  it('opens by a link that works once and leaves it in no address', async () => {
    const link = await server.app.dashboardLink();
    const first = await newDashboard(browser(), server);
    await first.page.goto(`${server.url}${link}`);
    await first.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(new URL(first.page.url()).href).toBe(`${server.url}/`);
    await first.close();
    const second = await newDashboard(browser(), server);
    await second.page.goto(`${server.url}${link}`);
    await second.page.getByRole('alert').filter({ hasText: 'The link is used' }).waitFor();
    await second.close();
  });

  it('shows health, the signed checkpoint and events as they are written', async () => {
    await dashboard.open('/');
    await says('Healthy');
    await says(/root [0-9a-f]{8}…/);
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
    await makeKey('first-agent');
    await page.getByRole('list', { name: 'Newest events' }).getByText('first-agent').waitFor();
    await shot('overview');
  });

  it('stands still under the pointer and goes on when it leaves', async () => {
    const list = page.getByRole('list', { name: 'Newest events' });
    await list.hover();
    await makeKey('held-agent');
    await says(/Paused, \d+ new/);
    expect(await list.getByText('held-agent').count()).toBe(0);
    await page.mouse.move(2, 2);
    await list.getByText('held-agent').waitFor();
  });

  it('shows only commands that exist', async () => {
    const commands = await page.getByRole('main').locator('code', { hasText: 'npx baton' }).allTextContents();
    expect(commands.length).toBeGreaterThanOrEqual(3);
    for (const command of commands) {
      const words = command.replace('npx baton ', '').split(' ').slice(0, 2);
      const { code, stdout } = await runBaton([...words, '--help']);
      expect({ command, code, usage: stdout.includes(words.join(' ')) }).toEqual({
        command,
        code: 0,
        usage: true,
      });
    }
  });

  it('verifies the journal and says that it is intact', async () => {
    await page.getByRole('button', { name: 'Verify now' }).click();
    await says('Intact');
    await shot('verified');
  });

  it('brings a decision to the inbox at once and approves it by keyboard', async () => {
    await dashboard.open('/inbox');
    await says('Nothing waits for you');
    const id = await askForDecision(server, 'Send the release notes', 'medium');
    await says('Send the release notes');
    await page.getByRole('link', { name: /Inbox.*1 waiting/ }).waitFor();
    await page.keyboard.press('j');
    await says('rules/ask-first');
    await shot('inbox');
    await page.keyboard.press('a');
    await page.getByRole('dialog').getByText('Approve this?').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('The decision is recorded and done.').waitFor();
    const item = await server.client.call('inbox.get', { id });
    expect(item).toMatchObject({
      state: 'applied',
      decision: { decision: 'approve', decided_by: { id: 'owner' } },
    });
  });

  it('rejects with a note, and shows what was decided', async () => {
    const id = await askForDecision(server, 'Delete the backups', 'low');
    await page.getByRole('button', { name: /Delete the backups/ }).click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/Why not/)
      .fill('Not before the audit.');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('article').getByText('Not before the audit.').waitFor();
    expect(await server.client.call('inbox.get', { id })).toMatchObject({ decision: { decision: 'reject' } });
    await page.getByRole('button', { name: 'Decided' }).click();
    await page.getByRole('region', { name: 'Decided items' }).getByText('Delete the backups').waitFor();
  });

  it('shows a refusal with what to do next instead of a decision that was not made', async () => {
    const id = await askForDecision(server, 'Rotate the keys', 'low');
    await dashboard.open(`/inbox?item=${id}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').waitFor();
    const { digest } = await server.client.call('inbox.get', { id });
    await server.client.call('inbox.decide', { id, digest, decision: 'reject' });
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('alert').filter({ hasText: 'Read the item to see who decided what' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('asks for the passphrase where a decision needs a person', async () => {
    const passphrase = 'three unrelated words';
    await server.client.call('identity.passphrase_set', { passphrase });
    const id = await askForDecision(server, 'Pay the invoice', 'critical');
    await dashboard.open(`/inbox?item=${id}`);
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByLabel('Passphrase').fill('not the passphrase');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('The passphrase is not accepted.').waitFor();
    await shot('presence');
    await dialog.getByLabel('Passphrase').fill(passphrase);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('article').getByText('The decision is recorded and done.').waitFor();
    expect(await server.client.call('inbox.get', { id })).toMatchObject({ state: 'applied' });
  });

  it('filters the journal, recomputes its hashes here and proves an event by a file', async () => {
    await dashboard.open('/journal');
    await says('Checked in this browser:');
    await page.getByLabel('Event type').fill('key.*');
    await page.getByRole('button', { name: 'Filter' }).click();
    const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('button');
    await page.waitForURL(/type=key/);
    await page.getByText('Signed in').waitFor({ state: 'detached' });
    for (const row of await rows.allTextContents()) expect(row).toContain('Key created');
    await rows.first().click();
    await page.getByRole('dialog').getByText('Hash recomputed in this browser').waitFor();
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.getByRole('dialog').getByText('The proof holds.').waitFor();
    await shot('proof');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the proof' }).click();
    const file = join(shots, 'proof.json');
    await (await download).saveAs(file);

    await dashboard.open('/verify');
    await page.getByRole('button', { name: 'Take this server’s key' }).click();
    await page.getByLabel(/Drop a proof/).setInputFiles(file);
    await says('with the key that you trust');
    const forged = join(shots, 'forged.json');
    await writeFile(forged, (await readFile(file, 'utf8')).replace('held-agent', 'evil-agent'));
    await page.getByLabel(/Drop a proof/).setInputFiles(forged);
    await page.getByText('hash_mismatch').waitFor();
    await shot('verify');
  });

  it('makes a key that is shown once, and revokes it', async () => {
    await dashboard.open('/settings');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('made-here');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const token = await page
      .getByRole('dialog')
      .getByText(/^baton_/)
      .textContent();
    const { status } = await fetch(`${server.url}/v1/whoami`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'Revoke the key of made-here' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').waitFor();
    const after = await fetch(`${server.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });
    expect(after.status).toBe(401);
  });

  it('goes to a page by the command palette', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('jour');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
  });

  it('switches the theme and remembers it', async () => {
    await dashboard.open('/');
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    const dark = await background();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Switch to the light theme' }).waitFor();
    expect(await background()).toBe(dark);
    await shot('overview-dark');
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    expect(await background()).toBe(light);
  });

  it.each([
    ['light', 'wcag'],
    ['dark', 'color-contrast'],
  ] as const)('has no serious accessibility fault on any page (%s: %s)', async (colorScheme, rules) => {
    await askForDecision(server, `Look at this in the ${colorScheme}`, 'high');
    const seen = await signIn(browser(), server, { colorScheme });
    for (const path of PAGES) {
      await seen.open(path);
      expect({ path, found: await seriousViolations(seen.page, rules) }).toEqual({ path, found: [] });
    }
    await seen.open('/inbox');
    await seen.page.getByRole('button', { name: new RegExp(colorScheme) }).click();
    await seen.page.keyboard.press('r');
    await seen.page.getByRole('dialog').waitFor();
    expect(await seriousViolations(seen.page, rules)).toEqual([]);
    expect(seen.complaints).toEqual([]);
    await seen.close();
  });

  it('fits a screen of 360 pixels', async () => {
    const phone = await signIn(browser(), server, { viewport: { width: 360, height: 740 } });
    for (const path of PAGES) {
      await phone.open(path);
      const wide = await phone.page.evaluate(() =>
        [document.documentElement, document.getElementById('scroller')].map(
          (box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
        ),
      );
      expect({ path, wide }).toEqual({ path, wide: [0, 0] });
      await phone.page.screenshot({ path: join(shots, `phone${path.replace('/', '-')}.png`) });
    }
    await phone.page.getByRole('button', { name: 'Open the navigation' }).click();
    await phone.page.getByRole('dialog').getByRole('link', { name: 'Journal' }).click();
    await phone.page.getByRole('heading', { name: 'Journal', level: 1 }).waitFor();
    await phone.close();
  });

  it('reconnects by itself and shows what was written meanwhile', async () => {
    await dashboard.open('/');
    const main = page.getByRole('main');
    await main.getByText('Live', { exact: true }).waitFor();
    const port = Number(new URL(server.url).port);
    await server.close();
    await main.getByText('Reconnecting').waitFor();
    server = await startTestServer({ dataDir, port });
    await main.getByText('Live', { exact: true }).waitFor();
    await makeKey('after-the-break');
    await page.getByRole('list', { name: 'Newest events' }).getByText('after-the-break').waitFor();
  });

  it('shows a journal that was changed, on the overview and on the page itself', async () => {
    await server.app.db.write((uow) =>
      uow.run(
        "update events set payload = replace(payload, 'after-the-break', 'somebody-else!!') where payload like ?",
        ['%after-the-break%'],
      ),
    );
    await page.getByRole('button', { name: 'Verify now' }).click();
    await says('The journal was changed');
    await shot('changed');
    await dashboard.open('/journal');
    await page.getByRole('alert').filter({ hasText: 'not as written' }).waitFor();
    await shot('changed-journal');
  });

  it('ends the session on request and lets nothing more through', async () => {
    await dashboard.open('/settings');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await says('Sign in with a one-time link');
    await page.goto(`${server.url}/inbox`);
    await says('Sign in with a one-time link');
    expect(dashboard.complaints).toEqual([]);
  });
});
