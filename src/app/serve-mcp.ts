import { serveMcpOverStdio } from '../faces/mcp/stdio.ts';
import { anchorNotice } from './anchor-notice.ts';
import { openApp } from './compose.ts';
import { createLog } from './log.ts';
import { readOwnerToken } from './owner-token.ts';
import type { Settings } from './settings.ts';

/** MCP over standard input and output, for an agent that starts us: on the same store as the server, in peace. */
export async function serveMcp(settings: Settings): Promise<void> {
  const app = await openApp(settings, { log: createLog(settings.logLevel) });
  const token = settings.token ?? readOwnerToken(settings.dataDir) ?? '';
  const now = () => app.identity.authenticate({ authorization: `Bearer ${token}` });
  const handle = serveMcpOverStdio(
    { ...app.mcp, annotate: anchorNotice(app, process.cwd()) },
    { principal: await now(), now },
  );
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
  });
  await handle.close();
  await app.drain();
  await app.close();
}
