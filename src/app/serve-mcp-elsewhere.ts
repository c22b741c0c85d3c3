import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * MCP over standard input and output, answered by a server elsewhere: messages pass as they are. So a client's file
 * holds neither the address nor the key.
 */
export async function serveMcpElsewhere(url: string, token: string | undefined): Promise<void> {
  const here = new StdioServerTransport();
  const there = new StreamableHTTPClientTransport(new URL(`${url.replace(/\/+$/, '')}/mcp`), {
    ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
  });
  there.onmessage = (message) => void here.send(message);
  here.onmessage = (message) => {
    there.send(message).catch((error: unknown) => {
      if (!('id' in message) || !('method' in message)) return;
      const reason = error instanceof Error ? error.message : String(error);
      void here.send({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32000, message: `The server at ${url} does not answer: ${reason}` },
      });
    });
  };
  await there.start();
  await here.start();
  await ended;
  await there.terminateSession().catch(() => undefined);
  await there.close();
  await here.close();
}
