import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small A2A agent on loopback, which answers everything with one completed task. */
export async function startAgent(
  name: string,
  reply: (text: string) => string,
): Promise<{ name: string; url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const url = `http://${request.headers.host}/`;
    response.setHeader('content-type', 'application/json');
    if (request.method === 'GET') return response.end(JSON.stringify(cardOf(name, url)));
    let body = '';
    for await (const piece of request) body += piece;
    const { id, params } = JSON.parse(body);
    const said: string = params.message.parts[0].text;
    const parts = [{ kind: 'text', text: reply(said) }];
    const task = {
      kind: 'task',
      id: `${name}-task`,
      contextId: params.message.contextId,
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'answer', parts }],
    };
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: task }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { name, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function cardOf(name: string, url: string) {
  return {
    name,
    description: `The ${name} of the demonstration.`,
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
}
