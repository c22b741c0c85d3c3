import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../packages/client/src/client.ts';
import { type AppOptions, openApp } from '../../src/app/compose.ts';
import { silentLog } from '../../src/app/log.ts';
import { type Server, serveApp } from '../../src/app/serve.ts';
import { readSettings, type Settings } from '../../src/app/settings.ts';

export interface TestServer extends Server {
  readonly dataDir: string;
  readonly ownerToken: string;
  readonly client: ReturnType<typeof createClient>;
  /** What the server logged as errors, for tests that expect none. */
  readonly failures: readonly object[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The whole product on a free port, with a data directory of its own; `close` removes it. */
export async function startTestServer(
  given: Partial<Settings> = {},
  options: AppOptions = {},
): Promise<TestServer> {
  const dataDir = given.dataDir ?? (await mkdtemp(join(tmpdir(), 'baton-test-')));
  const settings = { ...readSettings({ BATON_DATA: dataDir, BATON_PORT: '0' }), ...given };
  const failures: object[] = [];
  const log = { ...silentLog, error: (fields: object) => failures.push(fields) };
  const app = await openApp(settings, { log, ...options });
  const server = await serveApp(app, settings);
  const ownerToken = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
  return {
    ...server,
    dataDir,
    ownerToken,
    failures,
    client: createClient({ url: server.url, token: ownerToken }),
    fetch: (path, init = {}) =>
      fetch(`${server.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${ownerToken}`, ...(init.headers as Record<string, string>) },
      }),
    async close() {
      await server.close();
      if (given.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
