import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShell, type Shell, shellBlocks } from '../setup/shell-page.ts';
import { buildDashboard } from './build-dashboard.ts';
import { describeInChromium } from './chromium.ts';
import { type Dashboard, signIn } from './dashboard.ts';
import { pagesWithCommands } from './doc-pages.ts';
import { BIG_SESSION, FULL, ORDINARY, PROJECT, seedAtSize } from './seed/at-size.ts';
import { walkList } from './walk-list.ts';

const SIZES = process.env.BATON_PROVE === '1' ? FULL : ORDINARY;
const PATIENCE = 1_500_000;

const VIEWS = [
  '/',
  '/inbox',
  '/inbox?show=all',
  '/inbox?show=closed',
  '/journal',
  '/context',
  '/context?view=packages',
  '/context?view=facts',
  '/context?view=sessions',
  '/policies',
  '/policies?view=try',
  '/policies?view=decisions',
  '/memory',
  '/memory?view=proposals',
  '/memory?view=consent',
  '/runs',
  '/runs?view=decisions',
  '/runs?view=events',
  '/traces',
  '/traces?view=agents',
  '/traces?view=spans',
  '/traces?view=time',
  '/why',
  '/connect',
  '/policies?view=workbench',
  '/verify',
  '/settings',
];

beforeAll(buildDashboard);

describeInChromium('the pages, after every command of the docs and at size', (browser) => {
  let shell: Shell;
  let dashboard: Dashboard;
  let shots: string;
  const page = () => dashboard.page;
  const main = () => page().getByRole('main');
  const client = () => shell.server.client;
  const figure = new Intl.NumberFormat('en').format;
  const says = (text: string | RegExp) => main().getByText(text).first().waitFor();
  const list = (name: string | RegExp) => main().getByRole('list', { name });

  beforeAll(async () => {
    shell = await openShell();
    for (const doc of await pagesWithCommands()) {
      for (const block of await shellBlocks(doc)) {
        const { code, output } = await shell.run(block);
        expect({ doc, block, code, output }).toMatchObject({ code: 0 });
      }
    }
    await seedAtSize(shell.server, SIZES);
    dashboard = await signIn(browser(), shell.server, { everyError: true });
    shots = await mkdtemp(join(process.env.BATON_TEST_KEPT ?? tmpdir(), 'baton-at-size-'));
  }, PATIENCE);

  afterAll(async () => {
    await dashboard?.close();
    await shell?.close();
    console.log(`screenshots: ${shots}`);
  });

  const newestLeaf = async () =>
    (await client().call('journal.changes', { newest: true, limit: 1 })).events[0]?.leaf;

  it(
    'open without an error, and looking at them writes nothing',
    async () => {
      const before = await newestLeaf();
      for (const view of VIEWS) {
        await dashboard.open(view);
        expect([view, await main().getByRole('alert').allInnerTexts()]).toEqual([view, []]);
        await page().screenshot({ path: join(shots, `${view.replaceAll(/[^a-z]+/g, '-')}.png`) });
      }
      expect(dashboard.complaints).toEqual([]);
      expect(shell.server.failures).toEqual([]);
      expect(await newestLeaf()).toBe(before);
    },
    PATIENCE,
  );

  it(
    'count what the server counts: those of the whole list, and as mine only what I can decide',
    async () => {
      const counts = await client().call('context.counts', { project_id: PROJECT });
      const inbox = await client().call('inbox.counts', {});
      expect(counts.packages.count).toBeGreaterThan(SIZES.packages);
      expect(counts.facts.count).toBeGreaterThanOrEqual(SIZES.facts);
      expect(inbox.mine).toBeGreaterThanOrEqual(SIZES.items);
      expect(inbox.open).toBeGreaterThan(inbox.mine);

      await dashboard.open('/');
      await main()
        .getByRole('heading', { name: new RegExp(`, ${figure(inbox.mine)} wait for you`), level: 1 })
        .waitFor();
      await says(`${figure(inbox.open - inbox.mine)} more for others`);
      await page()
        .getByRole('link', { name: new RegExp(`Inbox.*${figure(inbox.mine)} waiting`) })
        .waitFor();

      await dashboard.open('/inbox');
      await main()
        .getByRole('button', { name: `For you (${figure(inbox.mine)})` })
        .waitFor();
      await main()
        .getByRole('button', { name: `All open (${figure(inbox.open)})` })
        .waitFor();

      await dashboard.open('/context');
      await says(`${figure(counts.packages.count)} packages in all`);
      await says(`the newest of ${figure(counts.facts.count)} facts`);
      await dashboard.open('/context?view=facts');
      await says(`${figure(counts.fact_keys.count)} facts`);

      const sessions = await client().call('relay.sessions', {});
      await dashboard.open('/traces');
      await says(`${figure(sessions.total)} sessions`);
      const big = await client().call('relay.sessions', { words: BIG_SESSION });
      expect(big.items).toMatchObject([{ spans: SIZES.spans - 60 }]);
      await dashboard.open(`/traces?q=${BIG_SESSION}&view=spans`);
      await says(`${figure(SIZES.spans - 60)} spans`);
      await main()
        .getByRole('button', { name: `Traces (${figure(big.items[0]?.traces ?? 0)})` })
        .waitFor();

      const keys = await client().call('keys.list', { limit: 1 });
      await dashboard.open('/settings');
      await says(`${figure(keys.total)} keys`);
      const memory = await client().call('memory.counts', {});
      expect(memory.memories.semantic).toBeGreaterThanOrEqual(SIZES.memories);
      await dashboard.open('/memory');
      await main()
        .locator('section')
        .filter({ has: page().getByRole('heading', { name: 'Facts' }) })
        .getByText(figure(memory.memories.semantic ?? 0), { exact: true })
        .waitFor();
      expect(dashboard.complaints).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'lead to the last item of every list',
    async () => {
      const counts = await client().call('context.counts', { project_id: PROJECT });
      await dashboard.open('/context?view=packages');
      const packages = await walkList(page(), list('Packages, newest first'), 'packages');
      expect(packages.items).toHaveLength(counts.packages.count);
      expect(packages.says).toContain(`of ${figure(counts.packages.count)}`);
      expect(packages.items.some((item) => item.includes('quagga'))).toBe(true);

      await dashboard.open('/context?view=facts');
      const facts = await walkList(page(), list('Facts'), 'facts');
      expect(facts.items).toHaveLength(counts.fact_keys.count);
      expect(facts.items.some((item) => item.includes('the tapir team'))).toBe(true);

      const { open, mine } = await client().call('inbox.counts', {});
      await dashboard.open('/inbox');
      const own = await waitingItems();
      expect(own.items).toBe(mine);
      expect(own.forOthers).toBe(0);
      await dashboard.open('/inbox?show=all');
      const all = await waitingItems();
      expect(all.items).toBe(open);
      expect(all.forOthers).toBe(open - mine);

      const { total } = await client().call('relay.sessions', {});
      await dashboard.open('/traces');
      const sessions = await walkList(
        page(),
        main().getByRole('navigation', { name: 'Sessions' }).locator('ul'),
        'sessions',
      );
      expect(sessions.items).toHaveLength(total);
      await dashboard.open(`/traces?q=${BIG_SESSION}&view=spans`);
      await says(`${figure(SIZES.spans - 60)} spans`);
      const pages = page().getByRole('navigation', { name: 'Pages of spans' });
      const older = pages.getByRole('button', { name: 'Older' });
      for (let at = 0; at < SIZES.spans && (await older.isEnabled()); at += 1) {
        const before = await pages.locator('.tabular').innerText();
        await older.click();
        await expect.poll(() => pages.locator('.tabular').innerText()).not.toBe(before);
      }
      await main().getByText('the first numbat').first().waitFor();

      await dashboard.open('/settings');
      const keys = await walkList(page(), list('Keys'), 'keys', 'Next');
      expect(keys.items).toHaveLength((await client().call('keys.list', { limit: 1 })).total);
      const memory = await client().call('memory.counts', {});
      await dashboard.open('/memory');
      const memories = await walkList(page(), list('Facts'), 'Facts', 'Next');
      expect(memories.items).toHaveLength(memory.memories.semantic ?? 0);
      expect(memories.items.some((item) => item.includes('pangolin'))).toBe(true);

      const [first] = (await client().call('journal.changes', { limit: 1 })).events;
      await dashboard.open('/journal');
      await main().getByRole('button', { name: 'Oldest' }).click();
      await page()
        .getByRole('list', { name: 'Events, newest first' })
        .getByText(String(first?.leaf), { exact: true })
        .waitFor();
      expect(dashboard.complaints).toEqual([]);
    },
    PATIENCE,
  );

  /** What the inbox lists, like requests counted as many as their line says, after all of it is shown. */
  async function waitingItems(): Promise<{ items: number; forOthers: number }> {
    const region = main().getByRole('region', { name: 'Open items' });
    const rows = region.getByRole('listitem');
    await rows.first().waitFor();
    const more = region.getByRole('button', { name: 'Show more' });
    while ((await more.count()) > 0) {
      const before = await rows.count();
      await more.click();
      await expect.poll(() => rows.count()).toBeGreaterThan(before);
    }
    let [items, forOthers] = [0, 0];
    for (const row of await rows.all()) {
      const unfold = row.getByRole('button', { name: /^Show the/ });
      const label = (await unfold.count()) > 0 ? await unfold.getAttribute('aria-label') : null;
      const count = Number(/^Show the (\d+) like/.exec(label ?? '')?.[1] ?? 1);
      items += count;
      if ((await row.innerText()).includes('waits for somebody else')) forOthers += count;
    }
    return { items, forOthers };
  }

  it(
    'find what is on another page, and say only of what is nowhere that there is none',
    async () => {
      const find = async (view: string, label: string, words: string, found: string | RegExp) => {
        await dashboard.open(view);
        await main().getByLabel(label).fill(words);
        await main().getByText(found).first().waitFor();
      };
      await dashboard.open('/context?view=packages&q=quagga');
      await list('Results, best first').getByText('The oldest quagga of all').waitFor();
      await find('/context?view=facts', 'Find', 'TAPIR', 'the tapir team');
      await says('1 fact with these words');
      await find('/context?view=facts', 'Find', 'service 201', 'team 201');
      await find('/context?view=facts', 'Find', 'no such animal', 'No matching facts');
      await find('/inbox', 'Find an item', 'last okapi', 'Look at the last okapi');
      await find('/inbox', 'Find an item', 'no such animal', 'No item has these words in its title');
      await find(`/traces?q=${BIG_SESSION}&view=spans`, 'Find a span', 'first numbat', 'the first numbat');
      await find('/traces', 'Find a session', 'short-session-0', 'short-session-0');
      await find('/settings', 'Find a key', 'worker-5', 'worker-5');
      await find('/memory', 'Find a memory', 'pangolin', 'Keeps a pangolin in the garden');
      expect(dashboard.complaints).toEqual([]);
    },
    PATIENCE,
  );

  it('say what was true at the end of a day, and of today what is true now', async () => {
    const day = (at: Date) =>
      `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
    const today = await page().evaluate(() => new Date().toISOString());
    await dashboard.open(`/context?view=facts&as_of=${day(new Date(today))}`);
    const { facts } = await client().call('context.counts', { project_id: PROJECT });
    await says(`${figure(facts.count)} facts that held then`);
    await dashboard.open('/context?view=facts&as_of=2001-01-01');
    await says('Nothing was known then');
  });

  it('show the consent that the docs give, in full', async () => {
    await dashboard.open('/memory?view=consent');
    const { policies } = await client().call('memory.policies', {});
    expect(policies.some(({ deny }) => deny === undefined)).toBe(true);
    await expect.poll(() => list('Policies').locator('> li').count()).toBe(policies.length);
  });

  it(
    'recognise every file that the command line writes, and call no other one broken',
    async () => {
      const { folder } = shell;
      const run = async (script: string) => {
        const { code, output } = await shell.run(script);
        expect({ script, code, output }).toMatchObject({ code: 0 });
        return output;
      };
      const event = (await client().call('journal.changes', { newest: true, limit: 1 })).events[0]?.event
        .event_id;
      await run(`baton journal prove ${event} --json > proof.json`);
      await run('baton why pkg_size0 --proof why.json > /dev/null');
      await run('baton journal checkpoint --json > checkpoint.json');
      await run('baton export exported > /dev/null');
      const { note } = await client().call('journal.checkpoint', {});
      await writeFile(join(folder, 'checkpoint.txt'), note);
      await writeFile(join(folder, 'letter.txt'), 'Dear reader,\n\nthis is none of ours.\n');
      await writeFile(join(folder, 'other.json'), '{"some":"thing"}');

      const drop = async (...names: string[]) => {
        await dashboard.open('/verify');
        await main()
          .locator('input[type="file"]')
          .setInputFiles(names.map((name) => join(folder, name)));
        await expect.poll(() => list('Results').locator('> li').count()).toBe(names.length);
        return list('Results').locator('> li').allInnerTexts();
      };
      expect((await drop('proof.json'))[0]).toContain('The proof holds.');
      // These two the commands of the docs have left here.
      expect((await drop('shop.trace.jsonl'))[0]).toContain('The chain holds.');
      expect((await drop('shop-run.json'))[0]).toContain('The export of a run holds.');
      expect((await drop('why.json'))[0]).toContain('The explanation holds.');
      expect((await drop('checkpoint.json'))[0]).toContain('The signature holds.');
      expect((await drop('checkpoint.txt'))[0]).toContain('whose signature was not checked');
      for (const other of ['letter.txt', 'other.json']) {
        expect((await drop(other))[0]).toContain('Not a format I know.');
      }
      const files = (await readdir(join(folder, 'exported'))).map((name) => `exported/${name}`);
      const verdicts = await drop(...files);
      expect(verdicts.find((text) => text.includes('manifest.json'))).toContain('The export holds.');
      expect(verdicts.join('\n')).not.toMatch(/does not hold|Not a format/);
      await run("sed -i '1s/.*/{}/' exported/packages.ndjson");
      expect((await drop(...files)).join('\n')).toContain('packages.ndjson does not have the digest');
      await run('sed -i \'s/"deposited/"undeposited/\' why.json');
      expect((await drop('why.json'))[0]).toContain('does not hold');
      expect(dashboard.complaints).toEqual([]);
    },
    PATIENCE,
  );

  it('tell a fault of their own from a server that is gone, and go on', async () => {
    const seen = await signIn(browser(), shell.server);
    const there = () => seen.page.getByRole('main');
    await seen.page.route('**/facts/latest*', (route) =>
      route.fulfill({ json: { items: [{}], next: null } }),
    );
    await seen.page.goto(`${shell.server.url}/context?view=facts`);
    await there().getByText('This page could not be drawn').waitFor();
    expect(await there().getByText('cannot be reached').count()).toBe(0);
    await seen.page.unroute('**/facts/latest*');
    await there().getByRole('button', { name: 'Try again' }).click();
    await seen.page.getByRole('list', { name: 'Facts' }).waitFor();
    await seen.page.route('**/facts/latest*', (route) => route.abort());
    await seen.page.goto(`${shell.server.url}/context?view=facts`);
    await there().getByText('The server cannot be reached.').waitFor();
    await there().getByRole('button', { name: 'Facts' }).waitFor();
    await seen.close();
  });
});
