import type { Hasher } from '../../kernel/hasher.ts';
import { isCard, rewriteCard } from '../a2a/card-rewrite.ts';
import { isObj } from '../a2a/json.ts';
import { PeerFailure } from '../rules/failure.ts';
import { errorResponse, peerError } from './answers.ts';
import type { PeerCard } from './peers.ts';
import { parseJson } from './reply.ts';

const CARDS = /^\.well-known\/agent(-card)?(\.signed)?\.json$/;

export function asksForCard(method: string, rest: string): boolean {
  return method === 'GET' && CARDS.test(rest);
}

export interface CardQuestion {
  readonly request: Request;
  readonly rest: string;
  /** The path by which the agent was asked for. */
  readonly base: string;
}

/** The peer's card, reached through the relay; or, under the path for it, the card as its peer signed it. */
export function cardAnswer(
  { card, error }: PeerCard,
  { request, rest, base }: CardQuestion,
  hasher: Hasher,
): Response {
  if (!card) {
    const failure = new PeerFailure('peer_disconnect', error ?? 'The peer has no card.');
    return errorResponse({ binding: 'HTTP+JSON', version: '1.0', id: null }, peerError(failure));
  }
  const shown = rest.includes('.signed.') ? card : rewriteCard(card, publicUrl(request, base));
  const body = JSON.stringify(shown);
  const etag = `"${hasher.hex(body).slice(0, 32)}"`;
  const headers = {
    'content-type': 'application/json',
    // What a card says depends on the route and the credential in it.
    'cache-control': 'private, max-age=60',
    vary: 'A2A-Version, X-Baton-Key, Host, X-Forwarded-Host, X-Forwarded-Proto',
    etag,
  };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(body, { status: 200, headers });
}

/** What a peer answers to who asks for its extended card, reached through the relay as well. */
export function extendedCard(request: Request, rest: string, answer: Uint8Array): Uint8Array {
  const value = parseJson(new TextDecoder().decode(answer));
  if (!isObj(value)) return answer;
  const { pathname } = new URL(request.url);
  const url = publicUrl(request, pathname.slice(0, pathname.length - rest.length).replace(/\/$/, ''));
  const shown = isCard(value.result)
    ? { ...value, result: rewriteCard(value.result, url) }
    : isCard(value) && rewriteCard(value, url);
  return shown ? new TextEncoder().encode(JSON.stringify(shown)) : answer;
}

function publicUrl(request: Request, base: string): string {
  const url = new URL(request.url);
  const host = request.headers.get('x-forwarded-host') ?? request.headers.get('host') ?? url.host;
  const scheme = request.headers.get('x-forwarded-proto') ?? url.protocol.replace(':', '');
  return `${scheme}://${host}${base}`;
}
