import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { batonBinary } from '../setup/cli.ts';
import { allViolations } from './accessibility.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { overflow } from './overflow.ts';

const TIMEOUT = 600_000;
/** Light on a desk and dark on a phone show both themes and both widths; the long form shows all four. */
const LOOKS =
  process.env.BATON_PROVE === '1'
    ? ([
        ['light', 1280],
        ['dark', 1280],
        ['light', 360],
        ['dark', 360],
        ['light', 390],
      ] as const)
    : ([
        ['light', 1280],
        ['dark', 360],
      ] as const);

beforeAll(buildDashboard);

/** Every page, filled by `baton demo world`, as somebody sees it who looks at Baton for the first time. */
describeInChromium('the pages of the demo world', (browser) => {
  let scratch: string;
  let shots: string;
  let child: ChildProcess;
  let origin: string;
  let client: ReturnType<typeof createClient>;

  beforeAll(async () => {
    const binary = await batonBinary();
    scratch = await mkdtemp(join(tmpdir(), 'baton-demo-pages-'));
    shots = await mkdtemp(join(process.env.BATON_TEST_KEPT ?? tmpdir(), 'baton-pages-'));
    const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch, HOME: scratch, NO_COLOR: '1' };
    child = spawn(process.execPath, [binary, 'demo', 'world'], { env });
    origin = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const link = /http:\/\/\S+sign-in#\S+/.exec(said)?.[0];
        if (link !== undefined && said.includes('Ctrl+C')) resolve(new URL(link).origin);
      });
      child.on('exit', () => reject(new Error(said)));
    });
    const [folder = ''] = (await readdir(scratch)).filter((name) => name.startsWith('baton-world'));
    const token = (await readFile(join(scratch, folder, 'owner.key'), 'utf8')).trim();
    client = createClient({ url: origin, token });
  }, TIMEOUT);
  afterAll(async () => {
    child?.kill('SIGINT');
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    console.log(`screenshots: ${shots}`);
  });

  async function places(): Promise<Readonly<Record<string, string>>> {
    const { items } = await client.call('inbox.list', { limit: 100 });
    const item = (kind: string) => items.find((each) => each.kind === kind)?.id;
    const { memories } = await client.call('memory.list', {});
    const session = `session=${encodeURIComponent('github:octo/webshop#9')}&project=webshop`;
    const relay = `session=${encodeURIComponent('github:octo/webshop#8')}&project=support`;
    return {
      home: '/?project=support',
      inbox: '/inbox',
      'inbox-action': `/inbox?item=${item('carp_approval')}`,
      'inbox-review': `/inbox?item=${item('package_review')}`,
      'inbox-memory': `/inbox?item=${item('memory_proposal')}`,
      'inbox-gate': `/inbox?item=${item('gate')}`,
      'inbox-closed': '/inbox?show=closed',
      journal: '/journal?project=support',
      context: '/context?project=webshop',
      'context-packages': '/context?project=webshop&view=packages',
      'context-package': '/context?project=webshop&package=webshop.endpoint',
      'context-facts': '/context?project=webshop&view=facts',
      'context-subject': '/context?project=webshop&view=facts&subject=checkout',
      'context-sessions': '/context?project=webshop&view=sessions',
      policies: '/policies?project=support',
      'policies-workbench': '/policies?project=support&view=workbench',
      'policies-try': '/policies?project=support&view=try',
      'policies-decisions': '/policies?project=support&view=decisions',
      'policies-approvals': '/policies?project=support&view=grants',
      memory: '/memory',
      'memory-one': `/memory?memory=${String(memories[0]?.memory.id)}`,
      'memory-proposals': '/memory?view=proposals',
      'memory-consent': '/memory?view=consent',
      runs: '/runs?project=platform',
      'runs-decisions': '/runs?project=platform&view=decisions',
      'runs-events': '/runs?project=platform&view=events',
      traces: '/traces?project=webshop',
      'traces-session': `/traces?${session}`,
      'traces-relayed': `/traces?${relay}`,
      'traces-agents': `/traces?${session}&view=agents`,
      'traces-spans': `/traces?${session}&view=spans`,
      'traces-compare': `/traces?${session}&view=compare`,
      'traces-time': '/traces?project=webshop&view=time',
      why: '/why?project=webshop&id=webshop.rollout',
      'why-tree': '/why?project=webshop&id=webshop.rollout&as=tree',
      connect: '/connect',
      verify: '/verify',
      settings: '/settings',
    };
  }

  async function signedIn(
    from: Browser,
    colorScheme: 'light' | 'dark',
    width: number,
  ): Promise<BrowserContext> {
    const { path } = await client.call('identity.dashboard_link', {});
    const context = await from.newContext({
      colorScheme,
      viewport: { width, height: 860 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(origin + path);
    await page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    return context;
  }

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(origin + path);
    await page.locator('h1').waitFor();
    await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
  }

  it.each(LOOKS)(
    'have no accessibility fault, no error, nothing too wide and no request elsewhere (%s, %i px)',
    async (theme, width) => {
      const context = await signedIn(browser(), theme, width);
      const [page] = context.pages() as [Page];
      const complaints: string[] = [];
      const elsewhere: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('request', (request) => {
        const { protocol, host } = new URL(request.url());
        if (protocol.startsWith('http') && host !== new URL(origin).host) elsewhere.push(request.url());
      });
      for (const [name, path] of Object.entries(await places())) {
        await open(page, path);
        await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`) });
        expect({ name, alerts: await page.getByRole('main').getByRole('alert').allInnerTexts() }).toEqual({
          name,
          alerts: [],
        });
        expect({ name, found: await allViolations(page) }).toEqual({ name, found: [] });
        expect({ name, wide: await overflow(page) }).toEqual({ name, wide: [0, 0] });
      }
      expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
      await context.close();
    },
    TIMEOUT,
  );

  it('fit what is fetched before the first page shows into 140 kB of compressed script', async () => {
    const { path } = await client.call('identity.dashboard_link', {});
    const context = await browser().newContext();
    const page = await context.newPage();
    const sent: Promise<number>[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/assets/') || !response.url().endsWith('.js')) return;
      sent.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
    });
    await page.goto(origin + path);
    await page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
    const bytes = (await Promise.all(sent)).reduce((sum, each) => sum + each, 0);
    console.log(`script before the first page: ${bytes} bytes in ${sent.length} files`);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(140_000);
    await context.close();
  });
});
