import type { Hasher } from '../../../kernel/hasher.ts';
import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';
import { PlainAnswer, type PlainRequest, pathOf } from '../../../spine/operations/plain.ts';
import { type CardReach, isCard, ownShape, rewriteCard, shapeFor } from '../a2a/card-rewrite.ts';
import type { A2aVersion } from '../a2a/methods.ts';
import { errorResponse, parseJson, peerError } from '../a2a/reply.ts';
import type { PeerCard } from './directory.ts';
import { PeerFailure } from './failure.ts';

/** Also the agent's address itself: nothing else of A2A is asked for there. */
const CARDS = /^\.well-known\/agent(-card)?(\.signed)?\.json$/;

export function asksForCard(method: string, rest: string): boolean {
  return method === 'GET' && (rest === '' || CARDS.test(rest));
}

const LEGACY_CARD = /(^|\/)agent\.json$/;

export interface CardRequest {
  readonly request: PlainRequest;
  readonly rest: string;
  /** The path by which the agent was asked for. */
  readonly base: string;
  readonly peerId: string;
  /** Where gRPC is listened to, for callers who call this server by this name; undefined where it is not. */
  readonly grpcAt: GrpcAt;
}

export type GrpcAt = (hostname: string) => string | undefined;

/** The peer's card, reached through the relay; or, under the path for it, the card as its peer signed it. */
export function cardAnswer(
  { card, error }: PeerCard,
  { request, rest, base, peerId, grpcAt }: CardRequest,
  hasher: Hasher,
): PlainAnswer {
  if (!card) {
    const failure = new PeerFailure('peer_disconnect', error ?? 'The peer has no card.');
    return errorResponse({ binding: 'HTTP+JSON', version: '1.0', id: null }, peerError(failure));
  }
  // The path of 0.2 has callers who know no other shape.
  const version = LEGACY_CARD.test(rest) ? '0.3' : request.headers['a2a-version'];
  const shown = rest.includes('.signed.')
    ? card
    : rewriteCard(card, reachBy(request, base, peerId, grpcAt), shapeFor(card, version));
  const body = JSON.stringify(shown);
  const etag = `"${hasher.hex(body).slice(0, 32)}"`;
  const headers = {
    'content-type': 'application/json',
    // What a card says depends on the route and the credential in it.
    'cache-control': 'private, max-age=60',
    vary: 'A2A-Version, X-Baton-Key, Host, X-Forwarded-Host, X-Forwarded-Proto',
    etag,
  };
  if (request.headers['if-none-match'] === etag) return new PlainAnswer(304, headers, null);
  return new PlainAnswer(200, headers, body);
}

/** What a peer answers to who asks for its extended card, reached through the relay as well. */
export function extendedCard(
  { request, rest, peerId, grpcAt }: Omit<CardRequest, 'base'>,
  version: A2aVersion,
  answer: Uint8Array,
): Uint8Array {
  const value = parseJson(new TextDecoder().decode(answer));
  if (!isRecord(value)) return answer;
  const path = pathOf(request.target);
  const base = path.slice(0, path.length - rest.length).replace(/\/$/, '');
  const reach = reachBy(request, base, peerId, grpcAt);
  // One that is yet to be translated says what either version needs.
  const rewritten = (card: LooseRecord) =>
    rewriteCard(card, reach, ownShape(card) === version ? version : 'both');
  const shown = isCard(value.result)
    ? { ...value, result: rewritten(value.result) }
    : isCard(value) && rewritten(value);
  return shown ? new TextEncoder().encode(JSON.stringify(shown)) : answer;
}

function reachBy({ headers, origin }: PlainRequest, base: string, tenant: string, grpcAt: GrpcAt): CardReach {
  const [ownScheme, ownHost] = origin.split('://');
  const host = headers['x-forwarded-host'] ?? headers.host ?? ownHost ?? '';
  const grpcUrl = grpcAt(host.replace(/:\d+$/, ''));
  return {
    url: `${headers['x-forwarded-proto'] ?? ownScheme}://${host}${base}`,
    grpc: grpcUrl === undefined ? undefined : { url: grpcUrl, tenant },
  };
}
