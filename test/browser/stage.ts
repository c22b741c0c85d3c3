import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { KIND } from './ask-for-decision.ts';
import { type Dashboard, signIn } from './dashboard.ts';

/** One server and one signed-in browser that the chapters of the walk share, in their order. */
export class Stage {
  readonly browser: () => Browser;
  /** Where pictures of the pages are left to be looked at. */
  shots = '';
  /** Directories that go when the stage is struck. */
  readonly leftovers: string[] = [];
  #dataDir = '';
  #server: TestServer | undefined;
  #dashboard: Dashboard | undefined;

  constructor(browser: () => Browser) {
    this.browser = browser;
  }

  get server(): TestServer {
    return this.#server as TestServer;
  }

  get dashboard(): Dashboard {
    return this.#dashboard as Dashboard;
  }

  get page(): Page {
    return this.dashboard.page;
  }

  /** The page without what stands around it. A property, so that chapters can take it apart. */
  readonly main = (): Locator => this.page.getByRole('main');

  async set(): Promise<void> {
    this.shots = await mkdtemp(join(process.env.BATON_TEST_KEPT ?? tmpdir(), 'baton-dashboard-'));
    this.#dataDir = await mkdtemp(join(tmpdir(), 'baton-test-'));
    this.#server = await startTestServer({ dataDir: this.#dataDir });
    this.server.app.inbox.register(KIND, { apply: 'rows', run: async () => undefined });
    this.#dashboard = await signIn(this.browser(), this.server);
  }

  /** The same store on the port given (0 takes a free one), after the server was closed. */
  async restart(port: number): Promise<void> {
    this.#server = await startTestServer({ dataDir: this.#dataDir, port });
  }

  async strike(): Promise<void> {
    await this.#dashboard?.close();
    await this.#server?.close();
    for (const path of [this.#dataDir, ...this.leftovers]) await rm(path, { recursive: true, force: true });
  }

  shot(name: string): Promise<unknown> {
    return this.page.screenshot({ path: join(this.shots, `${name}.png`) });
  }

  says(text: string | RegExp): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  makeKey(actorId: string): Promise<unknown> {
    return this.server.client.call('keys.create', { actor_id: actorId, actor_type: 'agent' });
  }
}
