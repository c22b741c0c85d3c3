import { BatonError } from '../../../kernel/error.ts';
import { isString } from '../../../kernel/json/loose.ts';
import { extractObject, failed, type RuntimeAdapter } from './adapter.ts';

export interface PeerRequest {
  /** Of the repository, which decides in which project to look for the peer. */
  readonly root: string;
  readonly peer: string;
  readonly text: string;
  readonly role: string;
  readonly runId: string;
}

/** Sends a text to a relay peer and returns its answer. */
export type AskPeer = (
  request: PeerRequest,
  signal: AbortSignal,
) => Promise<{ readonly text: string; readonly state: string | null }>;

/** An agent behind the relay; the messages are traced there like any others. */
export function a2aAdapter(askPeer: AskPeer | undefined): RuntimeAdapter {
  return async (call) => {
    const { peer } = call.runtime;
    if (!isString(peer)) return failed(`Runtime "${call.turn.runtime_id}" names no peer.`);
    if (askPeer === undefined) return failed('No relay is available. Start the server: baton up');
    const limit = AbortSignal.timeout(call.timeoutMs);
    const signal = call.signal === undefined ? limit : AbortSignal.any([limit, call.signal]);
    try {
      const answer = await beforeAbort(
        signal,
        askPeer(
          {
            root: call.root,
            peer,
            text: `${call.prompt}\n\n${call.context}`,
            role: call.turn.assigned_role,
            runId: call.turn.run_id ?? '',
          },
          signal,
        ),
      );
      const result = extractObject(answer.text);
      return result === undefined
        ? failed(
            `"${peer}" did not answer with a turn result: ${excerpt(answer.text) || (answer.state ?? 'nothing')}`,
            true,
          )
        : { kind: 'result', result };
    } catch (error) {
      if (limit.aborted) return failed(`"${peer}" did not answer in time.`, true);
      return failed(`"${peer}" could not be asked: ${describe(error)}`, true);
    }
  };
}

/** The turn stops on abort even if the transport does not. */
function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function describe(error: unknown): string {
  if (error instanceof BatonError) return `${error.message} ${error.next}`;
  return error instanceof Error ? error.message : String(error);
}

function excerpt(text: string): string {
  return text.trim().slice(0, 200);
}
