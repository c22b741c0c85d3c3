/**
 * Makes the pictures of README and docs from `baton demo world`, in both themes: `node scripts/screenshots.mjs [FOLDER]`.
 * Takes a build (`npm run build`) and Chromium. The pictures are WebP, which the browser writes itself.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'docs/pictures'));
const WIDTH = 1280;
const HEIGHT = 800;
const QUALITY = 78;

/** Where each picture is taken. */
const PAGES = [
  { name: 'home', path: '/?project=support' },
  { name: 'inbox', path: '/inbox', open: [/^Show the \d+ like/, /amount 480/] },
  // Of the newest refund that ran.
  { name: 'why', path: '/why?project=support&id=', id: 'action.executed' },
  { name: 'context', path: '/context?project=webshop' },
  { name: 'policies', path: '/policies?project=support' },
  { name: 'traces', path: '/traces?project=webshop&session=github%3Aocto%2Fwebshop%239' },
  { name: 'memory', path: '/memory' },
  { name: 'runs', path: '/runs?project=platform' },
];

const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
].find((path) => path && existsSync(path));

const world = spawn(process.execPath, [join(root, 'dist/baton.js'), 'demo', 'world'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NO_COLOR: '1' },
});
try {
  const link = await new Promise((done, failed) => {
    let said = '';
    world.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      const found = /http:\/\/\S+\/sign-in\S*#\S+/.exec(said)?.[0];
      if (found && said.includes('Ctrl+C')) done(found);
    });
    world.on('exit', () => failed(new Error(`the demo ended: ${said}`)));
  });
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const devtools = await context.newCDPSession(page);
  const origin = new URL(link).origin;
  for (const { name, path: begin, id, open } of PAGES) {
    const path = id === undefined ? begin : begin + (await newestEvent(page, id));
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(origin + path);
      await settled(page);
      for (const name of open ?? []) {
        await page.getByRole('main').getByRole('button', { name }).first().click();
        await settled(page);
      }
      const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
      const file = join(folder, `${name}-${theme}.webp`);
      await writeFile(file, Buffer.from(data, 'base64'));
      if (process.env.PICTURES_PNG) await page.screenshot({ path: file.replace('.webp', '.png') });
      console.log(`${file} ${Math.round((await stat(file)).size / 1000)} kB`);
    }
  }
  await browser.close();
} finally {
  world.kill('SIGINT');
}

async function settled(page) {
  await page.locator('h1').first().waitFor();
  await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(700);
}

/** The id of the newest event of a type, asked as the person who looks. */
function newestEvent(page, type) {
  return page.evaluate(async (types) => {
    const asked = new URLSearchParams({ project: 'support', types, newest: 'true', limit: '1' });
    const { events } = await (await fetch(`/v1/changes?${asked}`)).json();
    return events[0].event.event_id;
  }, type);
}
