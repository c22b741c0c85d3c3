import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { type A2aVersion, methodName } from '../a2a/methods.ts';
import { parseJson } from '../a2a/reply.ts';
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

/** An agent that has no address but that of its gRPC shows its card there, if at all. */
export async function readCardByGrpc(
  url: string,
  version: A2aVersion,
  send: (request: PeerRequest) => Promise<PeerResponse>,
): Promise<CardRead> {
  try {
    const call = { jsonrpc: '2.0', id: 1, method: methodName('card', version), params: {} };
    const response = await send({
      url: new URL(url),
      method: 'POST',
      headers: { 'a2a-version': version },
      body: new TextEncoder().encode(JSON.stringify(call)),
      timeoutMs: CARD_TIMEOUT_MS,
      idleMs: CARD_TIMEOUT_MS,
      repeatable: true,
    });
    const answer = parseJson(new TextDecoder().decode(await response.bytes(MAX_CARD_BYTES)));
    const card = isRecord(answer) ? answer.result : undefined;
    return isRecord(card) ? { card } : { error: 'The peer shows no card by gRPC.' };
  } catch (thrown) {
    return { error: failureOf(thrown).message };
  }
}
