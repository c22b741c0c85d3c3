/** A peer that streams its answer in many small pieces: `w0 w1 w2 …` */
import { type RpcPeer, startRpcPeer } from './rpc-peer.ts';

export function startChunkPeer(chunks: number): Promise<RpcPeer> {
  return startRpcPeer(({ contextId, events, response }) => {
    const about = { taskId: 'chunks', contextId };
    const event = events();
    const status = (state: string, final: boolean) =>
      event({ kind: 'status-update', ...about, status: { state }, final });
    event({ kind: 'task', id: about.taskId, contextId, status: { state: 'submitted' } });
    status('working', false);
    for (let at = 0; at < chunks; at += 1) {
      const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: `w${at} ` }] };
      event({ kind: 'artifact-update', ...about, append: at > 0, artifact });
    }
    status('completed', true);
    response.end();
  });
}

export function chunkText(chunks: number): string {
  return Array.from({ length: chunks }, (_, at) => `w${at} `).join('');
}
