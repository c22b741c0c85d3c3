import type { Clock } from '../../../kernel/clock.ts';
import { asText, type LooseRecord } from '../../../kernel/json/loose.ts';
import type { Database } from '../../../spine/storage/database.ts';
import { A2A_BINDINGS, type A2aBinding, type A2aVersion, readVersion } from '../a2a/methods.ts';
import { interfacesOf } from '../a2a/translate/card.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { PeerRequest } from './connections.ts';
import { readCardByGrpc, readCardOf } from './read-card.ts';
import { isGoverned } from './rules.ts';
import type { PeerSender } from './send-to-peer.ts';
import { type Peer, selectPeer, selectPeers } from './store.ts';

export interface PeerInterface {
  readonly binding: A2aBinding;
  readonly version: A2aVersion;
  readonly url: string;
  /** What the peer wants to be told in each request of this interface. */
  readonly tenant?: string;
}

export interface PeerCard {
  readonly card: LooseRecord | undefined;
  readonly error: string | undefined;
  readonly interfaces: readonly PeerInterface[];
  readonly name: string;
}

export interface PeerDirectory {
  /** As read within the last second; the process that changes a peer knows at once. */
  find(projectId: string, peerId: string): Promise<Peer | undefined>;
  /** What the peer's card says, asked for at most once a minute. */
  describe(peer: Peer): Promise<PeerCard>;
  /**
   * The peer that is meant where none is named: the one that the settings choose, the one that the host is named after,
   * or the only one.
   */
  unnamed(projectId: string, host: string | undefined): Promise<Peer | undefined>;
  forget(peer: { readonly projectId: string; readonly id: string }): void;
}

const KEPT_ROW_MICROS = 1e6;
/** Callers name agents as they like, most of which are no peers. */
const MOST_ROWS = 1_000;
const KEPT_MICROS = 60e6;
const KEPT_FAILURE_MICROS = 5e6;

export interface PeerDirectoryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly sender: PeerSender;
  readonly catalogue: Pick<Catalogue, 'saw' | 'inForce'>;
  readonly defaultPeer: string | undefined;
}

export function createPeerDirectory(deps: PeerDirectoryDeps): PeerDirectory {
  const { db, clock, sender, catalogue, defaultPeer } = deps;
  const cards = new Map<
    string,
    { readonly until: number; readonly url: string; readonly card: Promise<PeerCard> }
  >();
  const rows = new Map<string, { readonly peer: Peer | undefined; readonly until: number }>();
  let changes = 0;
  const keyOf = (peer: { readonly projectId: string; readonly id: string }) =>
    `${peer.projectId}\n${peer.id}`;

  async function fetchCard(peer: Peer): Promise<PeerCard> {
    const ask = (request: PeerRequest) => sender.send(peer, request);
    const read =
      bindingOf(peer) === 'GRPC'
        ? await readCardByGrpc(peer.url, peer.version ?? '1.0', ask)
        : await readCardOf(peer.url, ask);
    if ('card' in read) return described(peer, await catalogue.saw(peer, read.card));
    const none = { card: undefined, error: read.error, interfaces: fallback(peer), name: peer.id };
    // What a governed peer may be asked, and where, does not hang on whether it shows its card.
    const accepted = isGoverned(peer) ? await catalogue.inForce(peer) : undefined;
    return accepted ? { ...described(peer, accepted), error: read.error } : none;
  }

  async function askForCard(peer: Peer): Promise<PeerCard> {
    const key = keyOf(peer);
    const card = fetchCard(peer);
    cards.set(key, { until: clock.now() + KEPT_MICROS, url: peer.url, card });
    try {
      const settled = await card;
      if (settled.card === undefined)
        cards.set(key, { until: clock.now() + KEPT_FAILURE_MICROS, url: peer.url, card });
      return settled;
    } catch (error) {
      cards.delete(key);
      throw error;
    }
  }

  return {
    async find(projectId, peerId) {
      const key = keyOf({ projectId, id: peerId });
      const known = rows.get(key);
      if (known && known.until > clock.now()) return known.peer;
      const changesBefore = changes;
      const peer = await db.read((reader) => selectPeer(reader, projectId, peerId));
      // What was read before a change committed must not outlive it.
      if (changes !== changesBefore) return peer;
      if (rows.size >= MOST_ROWS) rows.clear();
      rows.set(key, { peer, until: clock.now() + KEPT_ROW_MICROS });
      return peer;
    },
    async unnamed(projectId, host) {
      const all = await db.read((reader) => selectPeers(reader, projectId));
      const label = host?.split('.')[0]?.toLowerCase();
      const named =
        all.find(({ id }) => id.toLowerCase() === label) ?? all.find(({ id }) => id === defaultPeer);
      return named ?? (all.length === 1 ? all[0] : undefined);
    },
    describe(peer) {
      const known = cards.get(keyOf(peer));
      return known && known.until > clock.now() && known.url === peer.url ? known.card : askForCard(peer);
    },
    forget(peer) {
      changes += 1;
      rows.delete(keyOf(peer));
      cards.delete(keyOf(peer));
    },
  };
}

function described(peer: Peer, card: LooseRecord): PeerCard {
  const found: PeerInterface[] = [];
  const named = interfacesOf(card);
  for (const { url, binding, version, tenant } of named) {
    const spoken = readVersion(version);
    const known = A2A_BINDINGS.find((one) => one === binding);
    if (!known || !spoken) continue;
    const reached = known === 'GRPC' ? grpcAddress(peer, url) : reachable(peer, url);
    if (reached) found.push({ binding: known, version: spoken, url: reached, ...(tenant && { tenant }) });
  }
  const isForeign = named.length > 0 && found.length === 0;
  const bindings = [...new Set(named.map(({ binding, version }) => `${binding} ${version}`))].join(', ');
  return {
    card,
    error: isForeign ? `The relay speaks none of the peer's interfaces: ${bindings}.` : undefined,
    interfaces: peer.version || found.length === 0 ? fallback(peer, found) : found,
    name: asText(card.name) ?? peer.id,
  };
}

/** A card is the peer's word, not the operator's: an interface elsewhere than the registered origin is not followed. */
function reachable(peer: Peer, url: string): string | undefined {
  try {
    const target = new URL(url, peer.url);
    const registered = new URL(peer.url);
    // What a peer calls itself inside its own network may not be what it was registered as.
    if (target.origin !== registered.origin) return new URL(target.pathname + target.search, registered).href;
    return target.href;
  } catch {
    return undefined;
  }
}

/**
 * gRPC has no paths, so its port is another one, which the card tells; its host is the registered one. A bare `host:port`
 * is spoken to as the peer itself is, with or without TLS.
 */
function grpcAddress(peer: Peer, url: string): string | undefined {
  const [, scheme, authority] = /^(?:([a-z]+):\/\/)?([^/]+)\/?$/i.exec(url) ?? [];
  if (!authority) return undefined;
  const registered = new URL(peer.url);
  const isSecure = scheme ? /s$/i.test(scheme) : /s:$/.test(registered.protocol);
  const port = /:(\d{1,5})$/.exec(authority)?.[1] ?? (isSecure ? '443' : '80');
  return `grpc${isSecure ? 's' : ''}://${registered.hostname}:${port}`;
}

function fallback(peer: Peer, found: readonly PeerInterface[] = []): readonly PeerInterface[] {
  if (!peer.version && found.length === 0 && bindingOf(peer) === 'GRPC')
    return [{ binding: 'GRPC', version: '1.0', url: peer.url }];
  if (!peer.version) return found;
  const fitting = found.filter(({ version }) => version === peer.version);
  return fitting.length > 0 ? fitting : [{ binding: bindingOf(peer), version: peer.version, url: peer.url }];
}

/** By which binding the registered address itself is spoken to. */
function bindingOf({ url }: Pick<Peer, 'url'>): A2aBinding {
  return url.startsWith('grpc') ? 'GRPC' : 'JSONRPC';
}
