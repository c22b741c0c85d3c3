import type { Clock } from '../../../../kernel/clock.ts';
import { openText, sealText } from '../../../../platform/sealed-text.ts';
import { PeerFailure } from '../failure.ts';
import type { PeerCredential } from '../schema.ts';
import type { Peer, SealedCredential } from '../store.ts';

export interface CredentialVault {
  seal(peer: Pick<Peer, 'projectId' | 'id'>, credential: PeerCredential, setBy: string): SealedCredential;
  /** Undefined where the peer has none. Throws a PeerFailure where it cannot be opened. */
  open(peer: Pick<Peer, 'projectId' | 'id' | 'sealed'>): PeerCredential | undefined;
}

const MOST_OPENED = 1_000;

export function createCredentialVault(key: () => Uint8Array, clock: Clock): CredentialVault {
  const opened = new Map<string, PeerCredential>();
  /** A row copied to another peer does not open there. */
  const placeOf = ({ projectId, id }: Pick<Peer, 'projectId' | 'id'>) =>
    `relay credential\n${projectId}\n${id}`;
  return {
    seal: (peer, credential, setBy) => ({
      type: credential.type,
      text: sealText(key(), JSON.stringify(credential), placeOf(peer)),
      setAt: clock.now(),
      setBy,
    }),
    open(peer) {
      if (!peer.sealed) return undefined;
      const place = placeOf(peer);
      const name = `${place}\n${peer.sealed.text}`;
      const known = opened.get(name);
      if (known) return known;
      const text = openText(key(), peer.sealed.text, place);
      if (text === undefined)
        throw new PeerFailure('peer_auth', 'The credential for the peer does not open with this key.');
      const credential = JSON.parse(text) as PeerCredential;
      if (opened.size >= MOST_OPENED) opened.clear();
      opened.set(name, credential);
      return credential;
    },
  };
}
