import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../notifications/receiver.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { violations } from './accessibility.ts';
import { askForDecision, KIND } from './ask-for-decision.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { type Dashboard, signIn } from './dashboard.ts';
import { overflow } from './overflow.ts';

beforeAll(buildDashboard);

const PASSPHRASE = 'five plain words for me';

describeInChromium('people, in the dashboard', (browser) => {
  let server: TestServer;
  let receiver: Receiver;
  let dashboard: Dashboard;

  beforeAll(async () => {
    receiver = await startReceiver();
    server = await startTestServer({ allowedNotifyHosts: ['127.0.0.1'] });
    server.app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
    dashboard = await signIn(browser(), server, { permissions: ['notifications'] });
  });
  afterAll(async () => {
    await dashboard.close();
    await server.close();
    await receiver.close();
  });

  it('choose how they are told, test it, and are told', async () => {
    const { page } = dashboard;
    await dashboard.open('/settings');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Where to').selectOption('slack');
    await dialog.getByLabel('Address of the incoming webhook').fill(`${receiver.url}/services/secret`);
    await dialog.getByLabel('What you call it').fill('Team');
    await dialog.getByLabel('Something waits for me').selectOption('now:high+daily');
    await dialog.getByLabel('From').fill('03:00');
    await dialog.getByLabel('To', { exact: true }).fill('03:01');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Test Team' }).click();
    await page.getByText('The test message was taken.').waitFor();
    expect(receiver.posts).toHaveLength(1);
    expect(await page.content()).not.toContain('services/secret');
    expect((await server.client.call('notifications.list', {})).channels).toMatchObject([
      {
        label: 'Team',
        quiet: { from: '03:00', to: '03:01' },
        rules: expect.arrayContaining([
          { project: '*', kind: 'inbox', when: 'now', least_risk: 'high' },
          { project: '*', kind: 'inbox', when: 'daily' },
        ]),
      },
    ]);
    await askForDecision(server, 'To be told', 'high');
    await expect.poll(() => receiver.posts.length, { timeout: 20_000 }).toBe(2);
    expect(receiver.posts[1]?.text).toContain('A decision of high risk waits in default');
    await page.getByRole('button', { name: 'Change Team' }).click();
    await expect.poll(() => dialog.getByLabel('Something waits for me').inputValue()).toBe('now:high+daily');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect([theme, await violations(page)]).toEqual([theme, []]);
    }
    await page.setViewportSize({ width: 360, height: 780 });
    for (const pixels of await overflow(page)) expect(pixels).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('button', { name: 'Remove Team' }).click();
    await page.getByText(/Nobody tells you yet/).waitFor();
  });

  it('are told by the browser, by one of several pages, while one is open', async () => {
    const { page } = dashboard;
    const context = page.context();
    await context.addInitScript(() => {
      const shown: string[] = [];
      const Real = window.Notification;
      class Seen extends Real {
        // Headless Chromium says `denied` here whatever was granted, and shows them all the same.
        static override get permission(): NotificationPermission {
          return 'granted';
        }

        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push(title);
        }
      }
      Object.assign(window, { Notification: Seen, shownNotices: shown });
    });
    await dashboard.open('/settings');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Pause this browser' }).waitFor();
    const second = await context.newPage();
    await second.goto(`${server.url}/journal`);
    await second.getByRole('heading', { level: 1 }).waitFor();
    await askForDecision(server, 'For whoever looks', 'high');
    const shown = async () => {
      const lists = [page, second].map((each) => each.evaluate('window.shownNotices') as Promise<string[]>);
      return (await Promise.all(lists)).flat();
    };
    await expect.poll(shown, { timeout: 40_000 }).toEqual(['A decision of high risk waits in default']);
    await second.close();
  });

  it('are invited by a link that works once, and join with a passphrase', async () => {
    const { page } = dashboard;
    await server.client.call('projects.create', { project_id: 'shop', name: 'Shop' });
    await dashboard.open('/settings');
    await page.getByLabel('New passphrase').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The passphrase is set.').waitFor();
    const invite = async () => {
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByRole('dialog').getByLabel('Name in the journal').fill('maya');
      await page.getByRole('dialog').getByLabel('Project').selectOption('shop');
      await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
    };
    await invite();
    await page
      .getByRole('dialog')
      .getByText(/proof that a person is present/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.evaluate(async (passphrase) => {
      const headers = {
        'content-type': 'application/json',
        'x-csrf-token': localStorage.getItem('baton-csrf') ?? '',
      };
      await fetch('/v1/login', { method: 'POST', headers, body: JSON.stringify({ passphrase }) });
    }, PASSPHRASE);
    await invite();
    const link = await page
      .getByRole('dialog')
      .getByText(/\/join#baton_invite_/)
      .innerText();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Waits', { exact: true }).waitFor();

    // Colours on their way from one theme to the other have any contrast.
    const maya = await browser().newPage({ reducedMotion: 'reduce' });
    await maya.goto(link);
    await maya.getByRole('heading', { name: 'You are invited, maya' }).waitFor();
    expect(maya.url()).not.toContain('baton_invite');
    for (const theme of ['light', 'dark'] as const) {
      await maya.emulateMedia({ colorScheme: theme });
      expect([theme, await violations(maya)]).toEqual([theme, []]);
    }
    await maya.getByLabel('Choose a passphrase').fill('mayas own long words');
    await maya.getByRole('button', { name: 'Join', exact: true }).click();
    const token = await maya.getByText(/^baton_/).innerText();
    await maya.getByRole('button', { name: 'I have copied it' }).click();
    await maya.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    await maya.close();
    const who = await fetch(`${server.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });
    expect(await who.json()).toMatchObject({
      actor_id: 'maya',
      actor_type: 'human',
      projects: ['shop'],
      passphrase_set: true,
      owner: false,
    });

    const late = await browser().newPage();
    await late.goto(link);
    await late.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor();
    await late.close();
  });
});
