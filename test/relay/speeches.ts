/** The ways to speak A2A, and a peer of the SDK for each. */
import type { TestServer } from '../setup/server.ts';
import { type Binding, type SdkPeer, type SdkPeerOptions, startSdkPeer, type Version } from './sdk-peer.ts';

export interface Speech {
  readonly version: Version;
  readonly binding: Binding;
}

const NAMES = { JSONRPC: 'rpc', 'HTTP+JSON': 'rest', GRPC: 'grpc' };

function speeches(bindings: readonly Binding[]): Speech[] {
  return (['0.3', '1.0'] as const).flatMap((version) => bindings.map((binding) => ({ version, binding })));
}

const SPEECHES = speeches(['JSONRPC', 'HTTP+JSON']);
export const ALL_SPEECHES = speeches(['JSONRPC', 'HTTP+JSON', 'GRPC']);

export function nameOf({ version, binding }: Speech): string {
  return `${NAMES[binding]}-${version}`;
}

/** Every client with every peer. */
export const MATRIX = SPEECHES.flatMap((client) =>
  SPEECHES.map((peer) => ({ client, agent: nameOf(peer), name: `${nameOf(client)} and ${nameOf(peer)}` })),
);

/** Peers by name, registered with the relay. */
export async function startSpeakingPeers(
  server: TestServer,
  { push, ...options }: Omit<SdkPeerOptions, 'binding'> & { readonly push?: 'interpose' } = {},
): Promise<ReadonlyMap<string, SdkPeer>> {
  const peers = new Map<string, SdkPeer>();
  for (const speech of SPEECHES) {
    const peer = await startSdkPeer(speech.version, { binding: speech.binding, ...options });
    peers.set(nameOf(speech), peer);
    await server.client.call('relay.peer.register', {
      id: nameOf(speech),
      url: peer.url,
      ...(push && { push }),
    });
  }
  return peers;
}
