import { serveGateway as serveFromFile } from '../slices/governance/gateway/serve.ts';
import { openApp } from './compose.ts';
import { createProcessLog } from './log.ts';
import { tokenOf } from './owner-token.ts';
import type { Settings } from './settings.ts';
import { governanceOn } from './slices/governance.ts';

/** The enforcing gateway over standard input and output: on the same store as the server, in peace. */
export async function serveGateway(settings: Settings, config: string): Promise<void> {
  const app = await openApp(settings, { log: createProcessLog(settings.logLevel) });
  try {
    const token = tokenOf(settings) ?? '';
    const principal = await app.identity.authenticate({ authorization: `Bearer ${token}` });
    await serveFromFile(config, governanceOn(app), principal, () => {
      if (principal.actor.type !== 'human') return;
      app.log.warn(
        { actor: principal.actor.id },
        'the gateway acts as a person, who then cannot approve what it asks for: give it an agent key in BATON_TOKEN',
      );
    });
    await app.drain();
  } finally {
    await app.close();
  }
}
