import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../test/setup/server.ts';
import type { BenchCase, Fact } from '../harness.ts';

const PACKAGES = Number(process.env.BENCH_PACKAGES ?? 100_000);
const BATCH = 1_000;
const SPANS = 5_000;
const FEW_SPANS = 20;
const SERVER_MS = 100;
const LOOKS = 3;

/** Every page with what it reads of a full project. */
const PAGES = [
  '/',
  '/inbox',
  '/journal',
  '/context',
  '/context?view=packages',
  '/context?view=facts',
  '/context?view=sessions',
  '/policies',
  '/policies?view=decisions',
  '/memory',
  '/runs',
  '/traces',
  '/why?id=pkg_size500&kind=package',
  '/connect',
  '/settings',
];

async function fillPackages(server: TestServer): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < PACKAGES; from += BATCH) {
    const packages = Array.from({ length: Math.min(BATCH, PACKAGES - from) }, (_, n) => {
      const at = from + n;
      return {
        line: JSON.stringify({
          package_id: `pkg_size${at}`,
          project_id: 'default',
          relay_version: '0.1',
          title: `Piece of work ${at}`,
          status: 'complete',
          package_type: at % 3 === 0 ? 'milestone' : 'standard',
          review_type: 'none',
          created_at: new Date(now - at * 5_000).toISOString(),
          created_by: { id: `author-${at % 7}`, type: 'agent' },
          decisions_made: at % 50 === 0 ? [`Decision ${at}`] : [],
          open_questions: at % 100 === 0 ? [`What about ${at}?`] : [],
        }),
      };
    });
    await server.client.call('transfer.import', { packages });
  }
}

/** One trace of a session: a root, what it asked for, and what each of these did. */
async function fillTrace(server: TestServer, session: string, count: number): Promise<void> {
  const begin = Date.now() - 3_600_000;
  const hex = (n: number, length: number) => n.toString(16).padStart(length, '0');
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const spans = Array.from({ length: count }, (_, at) => ({
    traceId: hex(count, 32),
    spanId: hex(count * 10_000 + at + 1, 16),
    ...(at > 0 && { parentSpanId: hex(count * 10_000 + (at < 20 ? 0 : 1 + (at % 19)) + 1, 16) }),
    name: at === 0 ? 'the whole' : `step ${at}`,
    kind: 1,
    startTimeUnixNano: `${begin + at * 10}000000`,
    endTimeUnixNano: `${begin + (at === 0 ? count * 10 : at * 10 + 7)}000000`,
    attributes: [text('session.id', session), text('gen_ai.agent.name', `agent-${at % 4}`)],
    status: { code: at % 97 === 96 ? 2 : 1 },
  }));
  for (let from = 0; from < count; from += 500) {
    const answer = await server.fetch('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [text('service.name', 'bench')] },
            scopeSpans: [{ scope: { name: 'bench' }, spans: spans.slice(from, from + 500) }],
          },
        ],
      }),
    });
    if (!answer.ok) throw new Error(`spans were refused: ${answer.status} ${await answer.text()}`);
  }
}

async function chromiumBrowser(): Promise<Browser> {
  const places = [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
  const executablePath = places.find((path) => path && existsSync(path));
  if (executablePath === undefined) throw new Error('No Chromium: see scripts/install-chromium.sh');
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** Until everything on the page is read and drawn. */
async function atRest(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
}

/** How long the server took with the slowest request of a page, as the browser saw it; the least of several looks. */
async function slowestAnswer(page: Page, url: string): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    await page.goto(url);
    await atRest(page);
    looks.push(
      await page.evaluate(() => {
        const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        const asked = entries.filter(
          ({ name }) => new URL(name).pathname.startsWith('/v1/') && !name.includes('/stream'),
        );
        return Math.max(0, ...asked.map(({ requestStart, responseStart }) => responseStart - requestStart));
      }),
    );
  }
  return Math.min(...looks);
}

export const benchCase: BenchCase = {
  name: 'dashboard',
  title: `The dashboard on ${PACKAGES} packages, and a trace of ${SPANS} spans`,
  async prepare() {
    const server = await startTestServer();
    await fillPackages(server);
    await fillTrace(server, 'long', SPANS);
    await fillTrace(server, 'short', FEW_SPANS);
    const browser = await chromiumBrowser();
    const page = await browser.newPage();
    await page.goto(`${server.url}${await server.app.dashboardLink()}`);
    await atRest(page);
    const facts: Fact[] = [];
    for (const path of PAGES) {
      const value = await slowestAnswer(page, server.url + path);
      const goal = { text: `at most ${SERVER_MS} ms of server time`, met: value <= SERVER_MS };
      facts.push({ name: `slowest answer of ${path}`, value, unit: 'ms', goal });
    }
    const opening = (session: string) => async () => {
      await page.goto(`${server.url}/traces?session=${session}`);
      await page.getByRole('list', { name: 'Spans' }).getByText('the whole').first().waitFor();
      await atRest(page);
      return 1;
    };
    return {
      facts,
      comparisons: [
        {
          title: 'Opening a trace in the browser, until it can be read',
          unit: 'traces',
          rounds: 9,
          sides: { [`${SPANS} spans`]: opening('long'), [`${FEW_SPANS} spans`]: opening('short') },
          goals: [
            {
              text: `${SPANS} spans open in at most twice the time of ${FEW_SPANS}`,
              met: (_, kept) => (kept[`${FEW_SPANS} spans`] ?? 0) >= 0.5,
            },
          ],
        },
      ],
      async close() {
        await browser.close();
        await server.close();
      },
    };
  },
};
