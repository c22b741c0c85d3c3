import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../setup/server.ts';
import { violations } from './accessibility.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { type Dashboard, signIn } from './dashboard.ts';
import { tooWide } from './overflow.ts';
import { startWorld } from './world.ts';

/** What the router makes its routes of. Not by a plain import: the pages behind it are typed for a browser. */
const PAGES_FILE = join(import.meta.dirname, '../../web/src/pages.tsx');
const { pages } = (await import(PAGES_FILE)) as { pages: readonly { readonly path: string }[] };

/** Where the pictures of the last run lie. */
const PICTURES = join(import.meta.dirname, 'pictures');
/** Every rule in both themes at each width; otherwise the other theme is asked only for what colours can break. */
const EVERYTHING = process.env.BATON_PROVE === '1';

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const NARROW = { width: 360, height: 780 };

interface Known {
  /** One waiting item of each kind, by its kind. */
  readonly items: ReadonlyMap<string, string>;
  /** The number of an event. */
  readonly denied: string;
  readonly executed: string;
  readonly pack: string;
  readonly memory: string;
  readonly failedSpan: string;
}

const SESSION = '/traces?project=webshop&session=github%3Aocto%2Fwebshop%239';

/**
 * Where each route of the router has something on it, by the name of its picture. The views that the tabs of the first
 * one lead to are found on the page.
 */
const FILLED: Readonly<Record<string, (known: Known) => Readonly<Record<string, string>>>> = {
  '/': () => ({ home: '/?project=support', 'home-quiet': '/?project=default' }),
  '/inbox': ({ items }) => ({
    inbox: '/inbox',
    ...Object.fromEntries([...items].map(([kind, id]) => [`inbox-${kind}`, `/inbox?item=${id}`])),
    'inbox-closed': '/inbox?show=closed',
  }),
  '/journal': ({ denied }) => ({ journal: '/journal', 'journal-event': `/journal?event=${denied}` }),
  '/context': ({ pack }) => ({
    context: '/context?project=webshop',
    'context-found': '/context?project=webshop&view=packages&q=checkout',
    'context-subject': '/context?project=webshop&view=facts&subject=checkout',
    'context-package': `/context?project=webshop&package=${pack}`,
  }),
  '/policies': () => ({ policies: '/policies?project=support' }),
  '/memory': ({ memory }) => ({ memory: '/memory', 'memory-one': `/memory?memory=${memory}` }),
  '/runs': () => ({ runs: '/runs?project=platform' }),
  '/traces': ({ failedSpan }) => ({ traces: SESSION, 'traces-span': `${SESSION}&span=${failedSpan}` }),
  '/why': ({ executed }) => ({
    why: `/why?project=support&id=${executed}`,
    'why-tree': `/why?project=support&id=${executed}&as=tree`,
    'why-nothing': '/why',
  }),
  '/connect': () => ({ connect: '/connect' }),
  '/verify': () => ({ verify: '/verify' }),
  '/settings': () => ({ settings: '/settings' }),
};

beforeAll(buildDashboard);

describeInChromium('every page of the demo world', (browser) => {
  let server: TestServer;
  let dashboard: Dashboard;
  let known: Known;

  beforeAll(async () => {
    server = await startWorld();
    known = await lookAround(server);
    dashboard = await signIn(browser(), server, { everyError: true, timezoneId: 'UTC' });
    await rm(PICTURES, { recursive: true, force: true });
    await mkdir(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await dashboard?.close();
    await server?.close();
    console.log(`pictures of every page: ${PICTURES}`);
  });

  it('is in the list here', () => {
    expect(Object.keys(FILLED)).toEqual(pages.map(({ path }) => path));
  });

  it.each(pages)(
    '$path: axe finds nothing, nothing is too wide, and there are pictures',
    async ({ path }) => {
      const { page } = dashboard;
      const found: string[] = [];
      const look = async (name: string) =>
        found.push(...(await faultsOf(page, name)).map((fault) => `${name} ${fault}`));
      for (const [at, [name, address]] of Object.entries(FILLED[path]?.(known) ?? {}).entries()) {
        await dashboard.open(address);
        await look(name);
        if (at > 0) continue;
        const views = page.getByRole('main').getByRole('group', { name: 'Views' }).getByRole('button');
        for (const words of (await views.allInnerTexts()).slice(1)) {
          await views.and(page.getByRole('button', { name: words, exact: true })).click();
          await look(`${name}-${words.replace(/ \(.*/, '').replaceAll(' ', '-').toLowerCase()}`);
        }
      }
      expect(found).toEqual([]);
      expect(dashboard.complaints.splice(0)).toEqual([]);
      expect(server.failures).toEqual([]);
    },
  );
});

/** Both themes and three widths of what is open, without loading it anew. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const ask = async (where: string, rules: 'all' | 'color-contrast') =>
    found.push(...(await violations(page, rules)).map((fault) => `${where}: ${fault}`));
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const size of [DESK, NARROW, PHONE]) {
      await page.setViewportSize(size);
      await settled(page);
      const where = `${theme} ${size.width}`;
      if (size !== PHONE) await ask(where, theme === 'light' || EVERYTHING ? 'all' : 'color-contrast');
      if (size === NARROW) found.push(...(await tooWide(page)).map((what) => `${where}: too wide: ${what}`));
      if (size !== NARROW)
        await page.screenshot({ path: join(PICTURES, `${name}-${size.width}-${theme}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESK);
  return found;
}

async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function lookAround({ client }: TestServer): Promise<Known> {
  const newest = async (type: string) => {
    const asked = { project: 'support', types: [type], newest: true, limit: 1 };
    const { events } = await client.call('journal.changes', asked);
    return events[0];
  };
  const { items } = await client.call('inbox.list', { limit: 100 });
  const [pack] = await client.call('packages.list', { project_id: 'webshop', limit: 1 });
  const { memories } = await client.call('memory.list', {});
  const spans = await client.call('relay.spans', {
    project: 'webshop',
    status: 'error',
    newest: true,
    limit: 1,
  });
  return {
    items: new Map(items.map(({ kind, id }) => [kind, id])),
    denied: String((await newest('action.denied'))?.leaf),
    executed: (await newest('action.executed'))?.event.event_id ?? '',
    pack: pack?.package_id ?? '',
    memory: String(memories[0]?.memory.id),
    failedSpan: spans.items[0]?.span_id ?? '',
  };
}
