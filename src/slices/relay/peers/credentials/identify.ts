import { createHash } from 'node:crypto';
import type { Clock } from '../../../../kernel/clock.ts';
import type { TlsIdentity } from '../../../../spine/outbound/guarded-pools.ts';
import type { PeerConnections } from '../connections.ts';
import { neverSent, PeerFailure } from '../failure.ts';
import type { PeerCredential } from '../schema.ts';
import type { Peer } from '../store.ts';
import { createOAuthTokens } from './oauth-tokens.ts';
import type { CredentialVault } from './vault.ts';

/** How the relay identifies itself to a peer: what goes with a request, and over which kind of connection. */
export interface Identification {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly tls: TlsIdentity | undefined;
  /** What the peer must not tell its callers of it. */
  readonly secrets: readonly string[];
  /** The peer refused it. True where another one is worth a try. */
  refused(): boolean;
}

export interface Identifies {
  /** Throws a PeerFailure where the credential cannot be opened, or no token is to be had. */
  identify(peer: Peer): Identification | Promise<Identification>;
}

const NOTHING: Identification = { headers: {}, query: {}, tls: undefined, secrets: [], refused: () => false };

export function createIdentifies(
  vault: CredentialVault,
  connections: PeerConnections,
  clock: Clock,
): Identifies {
  const tokens = createOAuthTokens(connections, clock);
  return {
    identify(peer) {
      if (!peer.sealed && peer.ca === undefined) return NOTHING;
      const credential = vault.open(peer);
      const tls = tlsOf(peer, credential);
      switch (credential?.type) {
        case 'bearer':
          return { ...NOTHING, tls, secrets: [credential.token], headers: bearer(credential.token) };
        case 'api_key': {
          const { key, name = 'X-API-Key' } = credential;
          return credential.in === 'query'
            ? { ...NOTHING, tls, secrets: [key], query: { [name]: key } }
            : { ...NOTHING, tls, secrets: [key], headers: { [name.toLowerCase()]: key } };
        }
        case 'oauth2':
          return tokens.tokenFor(credential).then(
            (token) => ({
              ...NOTHING,
              tls,
              secrets: [token, credential.client_secret],
              headers: bearer(token),
              refused: () => tokens.refused(credential, token),
            }),
            (thrown) => {
              throw thrown instanceof PeerFailure ? neverSent(thrown) : thrown;
            },
          );
        default:
          return { ...NOTHING, tls };
      }
    },
  };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function tlsOf({ ca }: Peer, credential: PeerCredential | undefined): TlsIdentity | undefined {
  const own = credential?.type === 'mtls' ? { cert: credential.certificate, key: credential.key } : undefined;
  if (!own && ca === undefined) return undefined;
  const id = createHash('sha256')
    .update(JSON.stringify([own, ca]))
    .digest('hex');
  return { id, ...own, ...(ca !== undefined && { ca }) };
}
