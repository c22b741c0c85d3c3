import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpFactory } from '../mcp/server.ts';
import type { Settings } from '../settings.ts';
import { openApp } from './compose.ts';
import { createLog } from './log.ts';
import { readOwnerToken } from './owner-token.ts';

/** MCP over standard input and output, for an agent that starts us: on the same store as the server, in peace. */
export async function serveMcp(settings: Settings): Promise<void> {
  const log = createLog(settings.logLevel);
  const app = await openApp(settings);
  const token = settings.token ?? (await readOwnerToken(settings.dataDir)) ?? '';
  const principal = await app.identity.authenticate({ authorization: `Bearer ${token}` });
  const factory = createMcpFactory(
    {
      registry: app.registry,
      dispatcher: app.dispatcher,
      version: app.version,
      newRequestId: app.newId,
      log: (error, context) => log.error({ ...context, error: String(error) }, 'tool call failed'),
    },
    principal,
  );
  const handle = serveStdio(factory);
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
  });
  await handle.close();
  await app.drain();
  await app.close();
}
