import type { Clock, Random } from '../../../kernel/clock.ts';
import type { PeerConnections, PeerRequest, PeerResponse } from './connections.ts';
import type { Identification, Identifies } from './credentials/identify.ts';
import { classOfStatus, failureOf } from './failure.ts';
import type { PeerHealth } from './health.ts';
import type { Peer } from './store.ts';

export interface PeerSender {
  /**
   * As this relay's own credential, and again where that is safe: where the request cannot have come to the peer, where it
   * changes nothing there, and where the peer refused a token that has a successor. Throws a PeerFailure, never anything
   * else.
   */
  send(peer: Peer, request: PeerRequest): Promise<PeerResponse>;
}

export interface PeerSenderDeps {
  readonly connections: PeerConnections;
  readonly identifies: Identifies;
  readonly health: PeerHealth;
  readonly clock: Clock;
  readonly random: Random;
}

const RETRIES = 2;
const FIRST_PAUSE_MS = 100;
/** What a server says that is about to be well again. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_REFUSAL_BYTES = 64 * 1024;

export function createPeerSender(deps: PeerSenderDeps): PeerSender {
  const { connections, identifies, health, clock, random } = deps;

  async function send(peer: Peer, request: PeerRequest): Promise<PeerResponse> {
    const most = peer.retries ?? RETRIES;
    const end = clock.now() + request.timeoutMs * 1000;
    const left = () => (end - clock.now()) / 1000;
    let renewed = false;
    for (let again = 0; ; again += 1) {
      const pauseMs = FIRST_PAUSE_MS * 2 ** again * (0.5 + (random.bytes(1)[0] ?? 0) / 255);
      const mayRepeat = (ms: number) => again < most && ms < left();
      try {
        const found = identifies.identify(peer);
        // Without a turn of the queue where there is nothing to wait for: the peer works meanwhile.
        const by = found instanceof Promise ? await found : found;
        const response = await connections.send(identified(request, by, again === 0 ? undefined : left()));
        if (by.secrets.length > 0) response.hide(by.secrets);
        if (response.status === 401 && !renewed && by.refused()) {
          renewed = true;
          again -= 1;
          await drained(response);
          continue;
        }
        const waitMs = retryAfterMs(response) ?? pauseMs;
        if (request.repeatable && PASSING.has(response.status) && mayRepeat(waitMs)) {
          await drained(response);
          await pause(waitMs);
          continue;
        }
        return response;
      } catch (thrown) {
        const failure = failureOf(thrown);
        const broke = request.repeatable && failure.failureClass === 'peer_disconnect';
        if (!(failure.neverSent || broke) || !mayRepeat(pauseMs)) throw failure;
        await pause(pauseMs);
      }
    }
  }

  return {
    async send(peer, request) {
      try {
        const response = await send(peer, request);
        const failureClass = classOfStatus(response.status);
        if (failureClass === 'peer_5xx' || failureClass === 'timeout') health.failed(peer, failureClass);
        else health.answered(peer);
        return response;
      } catch (thrown) {
        const failure = failureOf(thrown);
        // A caller that leaves says nothing about the peer.
        if (failure.failureClass !== 'client_disconnect') health.failed(peer, failure.failureClass);
        throw failure;
      }
    },
  };
}

/** The relay's credential takes the place of a caller's of the same name. */
function identified(request: PeerRequest, by: Identification, timeoutMs: number | undefined): PeerRequest {
  const url = Object.keys(by.query).length === 0 ? request.url : new URL(request.url);
  for (const [name, value] of Object.entries(by.query)) url.searchParams.set(name, value);
  return {
    ...request,
    url,
    headers: { ...request.headers, ...by.headers },
    tls: by.tls,
    ...(timeoutMs !== undefined && { timeoutMs: Math.max(timeoutMs, 1) }),
  };
}

function retryAfterMs({ headers }: PeerResponse): number | undefined {
  const seconds = Number(headers['retry-after'] || Number.NaN);
  return seconds >= 0 ? seconds * 1000 : undefined;
}

/** What came with a refusal makes room for the next answer on the connection. */
async function drained(response: PeerResponse): Promise<void> {
  await response.bytes(MAX_REFUSAL_BYTES).catch(() => undefined);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
