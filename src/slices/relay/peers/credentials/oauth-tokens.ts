import type { Clock, Micros } from '../../../../kernel/clock.ts';
import { asText, isRecord } from '../../../../kernel/json/loose.ts';
import { parseJson } from '../../a2a/reply.ts';
import type { PeerConnections } from '../connections.ts';
import { PeerFailure } from '../failure.ts';
import type { PeerCredential } from '../schema.ts';

export type OAuthCredential = Extract<PeerCredential, { type: 'oauth2' }>;

/** Access tokens by the client credentials grant (RFC 6749, 4.4). */
export interface OAuthTokens {
  /** One that is still good for a while; all who ask at once share one request. Throws a PeerFailure. */
  tokenFor(credential: OAuthCredential): Promise<string>;
  /** The peer does not take this one. True where there may be a newer one. */
  refused(credential: OAuthCredential, token: string): boolean;
}

interface Kept {
  readonly token: Promise<string>;
  until: Micros;
  value?: string;
  readonly asked: Micros;
}

const TOKEN_TIMEOUT_MS = 10_000;
const MAX_TOKEN_BYTES = 64 * 1024;
/** Not used to its last second: a request takes time. */
const MARGIN_MICROS = 30e6;
const UNSTATED_MICROS = 300e6;
/** A peer that refuses a token that was just made will refuse the next one, too. */
const FRESH_MICROS = 10e6;
const MOST_KEPT = 1_000;

export function createOAuthTokens(connections: PeerConnections, clock: Clock): OAuthTokens {
  const kept = new Map<string, Kept>();
  const keyOf = (credential: OAuthCredential) => JSON.stringify(credential);

  function ask(key: string, credential: OAuthCredential): Promise<string> {
    const asking = requestToken(connections, credential);
    const entry: Kept = {
      token: asking.then(({ token }) => token),
      until: Number.POSITIVE_INFINITY,
      asked: clock.now(),
    };
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, entry);
    asking.then(
      ({ token, seconds }) => {
        entry.value = token;
        const lasts = seconds === undefined ? UNSTATED_MICROS : seconds * 1e6;
        entry.until = clock.now() + Math.max(lasts - MARGIN_MICROS, lasts / 2);
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    return entry.token;
  }

  return {
    tokenFor(credential) {
      const key = keyOf(credential);
      const known = kept.get(key);
      return known && known.until > clock.now() ? known.token : ask(key, credential);
    },
    refused(credential, token) {
      const key = keyOf(credential);
      const known = kept.get(key);
      if (known?.value !== token) return true;
      kept.delete(key);
      return known.asked + FRESH_MICROS < clock.now();
    },
  };
}

async function requestToken(
  connections: PeerConnections,
  { token_url, client_id, client_secret, scope, audience, auth = 'basic' }: OAuthCredential,
): Promise<{ readonly token: string; readonly seconds: number | undefined }> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope) form.set('scope', scope);
  if (audience) form.set('audience', audience);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (auth === 'basic') headers.authorization = `Basic ${basic(client_id, client_secret)}`;
  else {
    form.set('client_id', client_id);
    form.set('client_secret', client_secret);
  }
  const response = await connections.send({
    url: new URL(token_url),
    method: 'POST',
    headers,
    body: new TextEncoder().encode(form.toString()),
    timeoutMs: TOKEN_TIMEOUT_MS,
    idleMs: TOKEN_TIMEOUT_MS,
    repeatable: true,
  });
  const answer = parseJson(new TextDecoder().decode(await response.bytes(MAX_TOKEN_BYTES)));
  const token = isRecord(answer) ? asText(answer.access_token) : undefined;
  // What the endpoint says beyond its status may repeat what it was sent.
  if (response.status !== 200 || !token || !/^[\x21-\x7e]+$/.test(token))
    throw new PeerFailure(
      'peer_auth',
      `The token endpoint of the peer answered ${response.status} and no token.`,
      response.status,
    );
  const seconds = Number((answer as { expires_in?: unknown }).expires_in);
  return { token, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined };
}

/** Each half is form-encoded first (RFC 6749, 2.3.1), so that a colon in the id is none of the header's. */
function basic(id: string, secret: string): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');
  return Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64');
}
