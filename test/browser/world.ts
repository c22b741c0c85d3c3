import { createHost } from '../../src/app/host.ts';
import type { Settings } from '../../src/app/settings.ts';
import { readSettings } from '../../src/app/settings.ts';
import { fillWorld } from '../../src/faces/cli/demo-world/world.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

/** A server with everything of `baton demo world` in it; `close` ends its agents too. */
export async function startWorld(): Promise<TestServer> {
  const server = await startTestServer();
  const settings: Settings = {
    ...readSettings({ BATON_DATA: server.dataDir }),
    url: server.url,
    token: server.ownerToken,
  };
  const host = createHost(settings);
  const owner = await host.connect(settings);
  const close = await fillWorld(host, {
    owner,
    folder: server.dataDir,
    dataDir: server.dataDir,
    prefix: '',
    signal: new AbortController().signal,
    say: () => {},
  });
  await owner.close();
  return {
    ...server,
    close: async () => {
      await close();
      await server.close();
    },
  };
}
