import { decodeBase64 } from '../../../kernel/base64.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { DEFAULT_PROJECT } from '../../../spine/identity/settings.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Keys, Signing } from '../registry/keys.ts';
import { ed25519FromMultibase } from '../registry/multibase.ts';
import { insertNonce } from '../registry/store.ts';
import { readSignatureHeader, requireFresh, signedDigest } from './rules.ts';

export interface SignedCall {
  readonly authorization: string;
  readonly method: string;
  /** With the query, as it was sent. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Stands in for the key of an unknown DID, so that both take the same time. */
const NO_KEY = new Uint8Array(32);

/** Who signed this request: an agent by its registered key or by its did:key, a person by a key of their own profile. */
export function createSignatures(deps: MemoryDeps, keys: Keys) {
  const { db, clock, hasher, verify } = deps;

  async function signing(did: string): Promise<Signing> {
    const found = await db.read((reader) => keys.signing(reader, did));
    if (!did.startsWith('did:key:')) return found;
    const own = ed25519FromMultibase(did.slice('did:key:'.length));
    return { keys: own ? [own] : [], owner: undefined, projectId: found.projectId };
  }

  return async (call: SignedCall): Promise<Principal> => {
    const signed = readSignatureHeader(call.authorization);
    const now = clock.now();
    requireFresh(signed, now);
    const { keys: held, owner, projectId } = await signing(signed.did);
    const signature = decodeBase64(signed.signature) ?? new Uint8Array(64);
    const digest = signedDigest(hasher, call, signed);
    const tried = held.length === 0 ? [NO_KEY] : held;
    const holds = tried.filter((key) => isSignature(key, digest, signature)).length > 0;
    if (!holds || held.length === 0) throw memoryErrors.A2P001();
    if (!(await db.write((uow) => insertNonce(uow, signed.did, signed.nonce, now))))
      throw memoryErrors.A2P008();
    return {
      actor: owner === undefined ? { id: signed.did, type: 'agent' } : { id: owner, type: 'human' },
      scopes: new Set(owner === undefined ? ['self', 'memory:read', 'memory:propose'] : ['self', 'memory:*']),
      projects: owner === undefined || projectId === undefined ? [] : [projectId],
      defaultProject: projectId ?? DEFAULT_PROJECT,
      credential: { kind: 'signature', id: signed.did },
      present: false,
    };
  };

  function isSignature(key: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
    try {
      return verify(key, digest, signature);
    } catch {
      return false;
    }
  }
}
