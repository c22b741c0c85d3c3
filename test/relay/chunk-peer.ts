/** A peer that streams its answer in many small pieces: `w0 w1 w2 …` */
import { createServer } from 'node:http';
import { closeServer, listenOn } from './sdk-peer.ts';

export async function startChunkPeer(chunks: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    const { id, params } = JSON.parse(body);
    const about = { taskId: 'chunks', contextId: params.message.contextId };
    const frame = (result: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    const status = (state: string, final: boolean) =>
      frame({ kind: 'status-update', ...about, status: { state }, final });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    frame({ kind: 'task', id: about.taskId, contextId: about.contextId, status: { state: 'submitted' } });
    status('working', false);
    for (let at = 0; at < chunks; at += 1) {
      const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: `w${at} ` }] };
      frame({ kind: 'artifact-update', ...about, append: at > 0, artifact });
    }
    status('completed', true);
    response.end();
  });
  const url = await listenOn(server);
  return { url, close: () => closeServer(server) };
}

export function chunkText(chunks: number): string {
  return Array.from({ length: chunks }, (_, at) => `w${at} `).join('');
}
