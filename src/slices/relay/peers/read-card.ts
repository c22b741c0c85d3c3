import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { PeerRequest, PeerResponse } from './connections.ts';
import { failureOf } from './failure.ts';
import { under } from './under.ts';

const CARD_PATHS = ['.well-known/agent-card.json', '.well-known/agent.json'];
const CARD_TIMEOUT_MS = 2_000;
const MAX_CARD_BYTES = 1024 * 1024;

export type CardRead = { readonly card: LooseRecord } | { readonly error: string };

/** Asks an agent for its card, where each version has it. */
export async function readCardOf(
  url: string,
  send: (request: PeerRequest) => Promise<PeerResponse>,
): Promise<CardRead> {
  let error = 'The peer has no card.';
  for (const path of CARD_PATHS) {
    try {
      const response = await send({
        url: under(url, path),
        method: 'GET',
        // Both shapes are understood, the newer one says more.
        headers: { accept: 'application/json', 'a2a-version': '1.0' },
        body: undefined,
        timeoutMs: CARD_TIMEOUT_MS,
        idleMs: CARD_TIMEOUT_MS,
        repeatable: true,
      });
      const bytes = await response.bytes(MAX_CARD_BYTES);
      const card: unknown = response.status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
      if (isRecord(card)) return { card };
      error = `The card was answered with ${response.status}.`;
    } catch (thrown) {
      if (thrown instanceof SyntaxError) error = 'The card is not JSON.';
      else {
        const failure = failureOf(thrown);
        error = failure.message;
        if (failure.failureClass === 'peer_disconnect') break;
      }
    }
  }
  return { error };
}
