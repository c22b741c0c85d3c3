import { isText } from '../model/document.ts';
import { failed, type RuntimeAdapter } from './adapter.ts';
import { extractObject } from './extract-object.ts';

/** Sends a text to a peer of the relay and answers what it said. */
export type AskPeer = (
  peer: string,
  text: string,
  context: { readonly runId: string; readonly turnId: string },
) => Promise<string>;

/** An agent reached through the relay: what is said between us is traced like any other message there. */
export function a2aAdapter(askPeer: AskPeer | undefined): RuntimeAdapter {
  return async (call) => {
    const { peer } = call.runtime;
    if (!isText(peer)) return failed(`Runtime "${call.turn.runtime_id}" names no peer.`);
    if (askPeer === undefined) return failed('No relay is at hand. Start the server: baton up');
    try {
      const said = await askPeer(peer, `${call.prompt}\n\n${call.context}`, {
        runId: call.turn.run_id ?? '',
        turnId: call.turn.turn_id,
      });
      const result = extractObject(said);
      return result === undefined
        ? failed(`"${peer}" answered no turn result.`, true)
        : { kind: 'result', result };
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error), true);
    }
  };
}
