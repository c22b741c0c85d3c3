import { decodeBase64 } from '../../../kernel/base64.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { DEFAULT_PROJECT } from '../../../spine/identity/settings.ts';
import { memoryErrors } from '../errors.ts';
import type { MemoryDeps } from '../ports.ts';
import { type SigningKeys, signingKeys } from '../registry/keys.ts';
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

/** Checked in place of the key of an unknown DID, so that both take the same time. */
const NO_KEY = new Uint8Array(32);

/** Who signed this request: an agent by its registered key or its did:key, a person by a key of their own profile. */
export async function authenticateSigned(deps: MemoryDeps, call: SignedCall): Promise<Principal> {
  const { db, clock, hasher } = deps;
  const signed = readSignatureHeader(call.authorization);
  const now = clock.now();
  requireFresh(signed, now);
  const { keys, owner, projectId } = await keysOf(deps, signed.did);
  const signature = decodeBase64(signed.signature) ?? new Uint8Array(64);
  const digest = signedDigest(hasher, call, signed);
  const tried = keys.length === 0 ? [NO_KEY] : keys;
  const holds = tried.filter((key) => isSignature(deps, key, digest, signature)).length > 0;
  if (!holds || keys.length === 0) throw memoryErrors.A2P001();
  if (!(await db.write((uow) => insertNonce(uow, signed.did, signed.nonce, now))))
    throw memoryErrors.A2P008();
  return {
    actor: owner === undefined ? { id: signed.did, type: 'agent' } : { id: owner, type: 'human' },
    scopes: new Set(owner === undefined ? ['self', 'memory:read', 'memory:propose'] : ['self', 'memory:*']),
    projects: owner === undefined || projectId === undefined ? [] : [projectId],
    defaultProject: projectId ?? DEFAULT_PROJECT,
    credential: { kind: 'signature', id: signed.did },
    owner: false,
    speaksFor: [],
    present: false,
  };
}

/** A did:key has the key that it names, and no other. */
async function keysOf(deps: MemoryDeps, did: string): Promise<SigningKeys> {
  const found = await deps.db.read((reader) => signingKeys(reader, deps, did));
  if (!did.startsWith('did:key:')) return found;
  const own = ed25519FromMultibase(did.slice('did:key:'.length));
  return { keys: own ? [own] : [], owner: undefined, projectId: found.projectId };
}

function isSignature(
  { verify }: MemoryDeps,
  key: Uint8Array,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    return verify(key, digest, signature);
  } catch {
    return false;
  }
}
