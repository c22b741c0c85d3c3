import type { Principal } from '../../identity/principal.ts';
import { DEFAULT_PROJECT } from '../../identity/settings.ts';
import { decodeBase64 } from '../../kernel/base64.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { ed25519FromMultibase } from '../rules/base58.ts';
import { readSignatureHeader, requireFresh, signedDigest } from '../rules/request-signature.ts';
import { insertNonce, selectAgent } from '../store/agent-store.ts';
import { selectProfile } from '../store/profile-store.ts';
import type { Profiles } from './profiles.ts';

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
export function createSignatures(deps: MemoryDeps, profiles: Profiles) {
  const { db, clock, hasher, verify } = deps;

  async function keyOf(
    did: string,
  ): Promise<{ key: Uint8Array | undefined; owner: string | undefined; projectId: string | undefined }> {
    return db.read(async (reader) => {
      const agent = await selectAgent(reader, did);
      const profile = await selectProfile(reader, did);
      if (did.startsWith('did:key:')) {
        return { key: ed25519FromMultibase(did.slice(8)), owner: undefined, projectId: agent?.projectId };
      }
      if (agent?.publicKey !== undefined) {
        return { key: ed25519FromMultibase(agent.publicKey), owner: undefined, projectId: agent.projectId };
      }
      if (!profile) return { key: undefined, owner: undefined, projectId: undefined };
      const { identity } = (await profiles.document(reader, profile)) as {
        identity?: { publicKeys?: unknown };
      };
      const keys = Array.isArray(identity?.publicKeys) ? identity.publicKeys : [];
      const own = keys.find((each) => (each as { type?: string }).type === 'Ed25519') as
        | { publicKeyMultibase?: string }
        | undefined;
      return {
        key: ed25519FromMultibase(own?.publicKeyMultibase ?? ''),
        owner: profile.ownerActor,
        projectId: profile.projectId,
      };
    });
  }

  return async (call: SignedCall): Promise<Principal> => {
    const signed = readSignatureHeader(call.authorization);
    const now = clock.now();
    requireFresh(signed, now);
    const { key, owner, projectId } = await keyOf(signed.did);
    const signature = decodeBase64(signed.signature) ?? new Uint8Array(64);
    const holds = isSignature(key ?? NO_KEY, signedDigest(hasher, call, signed), signature);
    if (!holds || !key) throw memoryErrors.A2P001();
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
