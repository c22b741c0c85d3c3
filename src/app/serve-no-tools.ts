import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { VERSION } from './version.ts';

/** A client that starts us in a folder that is none of ours finds a server in order, with nothing to offer. */
export async function serveNoTools(reason: string): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
  });
  const handle = serveStdio(() => {
    const server = new Server(
      { name: 'baton', version: VERSION },
      { instructions: reason, capabilities: { tools: {} } },
    );
    server.setRequestHandler('tools/list', () => ({ tools: [] }));
    return server;
  });
  await ended;
  await handle.close();
}
