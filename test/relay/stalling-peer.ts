/** A peer that begins and does not go on, each in the way that real ones do. */
import { type RpcPeer, startRpcPeer } from './rpc-peer.ts';

export type Stall = 'never' | 'half-answer' | 'silent-stream' | 'wrong-version';

export interface StallingPeer extends RpcPeer {
  /** How many requests are held open. */
  readonly held: number;
}

export async function startStallingPeer(): Promise<StallingPeer> {
  let held = 0;
  const peer = await startRpcPeer(({ text, contextId, request, response, json, events }) => {
    held += 1;
    response.on('close', () => {
      held -= 1;
    });
    switch (text as Stall) {
      case 'half-answer':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        response.write('{"jsonrpc":"2.0","id":7,"result":{"kind":"task"');
        setTimeout(() => request.socket.destroy(), 20);
        return;
      case 'silent-stream':
        return events()({ kind: 'task', id: `t-${contextId}`, contextId, status: { state: 'working' } });
      case 'wrong-version':
        return json({ error: { code: -32009, message: 'Only 1.0 is spoken here.' } });
      case 'never':
        return;
    }
  });
  return {
    ...peer,
    get held() {
      return held;
    },
  };
}
