import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestServer } from '../setup/server.ts';

export interface Dashboard {
  readonly page: Page;
  /** What the browser complained about: scripts that threw, and what the page's policy blocked. */
  readonly complaints: string[];
  /** Goes to a page and waits until everything on it is read. */
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

export interface DashboardOptions extends BrowserContextOptions {
  /** Also what the page itself logs as an error, such as an answer that it did not expect. */
  readonly everyError?: boolean;
}

/** A browser of its own, signed in by a one-time link. */
export async function signIn(
  browser: Browser,
  server: TestServer,
  options: DashboardOptions = {},
): Promise<Dashboard> {
  const dashboard = await newDashboard(browser, server, options);
  await dashboard.page.goto(`${server.url}${await server.app.dashboardLink()}`);
  await dashboard.page.getByRole('heading', { name: /^Home/, level: 1 }).waitFor();
  return dashboard;
}

export async function newDashboard(
  browser: Browser,
  server: TestServer,
  options: DashboardOptions = {},
): Promise<Dashboard> {
  const { everyError = false, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    // What fades is not what contrast is judged by.
    reducedMotion: 'reduce',
    ...contextOptions,
  });
  // What is decided takes effect at once, unless a test asks for time to undo it.
  await context.addInitScript(() => {
    if (location.protocol.startsWith('http') && localStorage.getItem('baton-undo-seconds') === null)
      localStorage.setItem('baton-undo-seconds', '0');
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const refused = /content security policy|refused to/i.test(message.text());
    if (refused || (everyError && message.type() === 'error')) complaints.push(message.text());
  });
  return {
    page,
    complaints,
    async open(path) {
      await page.goto(`${server.url}${path}`);
      // By its tag: behind an open drawer it has no role.
      await page.locator('h1').waitFor();
      await page.locator('.animate-pulse').first().waitFor({ state: 'detached' });
    },
    close: () => context.close(),
  };
}
