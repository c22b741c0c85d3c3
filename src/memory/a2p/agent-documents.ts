import type { KnownAgent } from '../store/agent-store.ts';

/** A registered agent as a2p's own profile of it. */
export function agentProfile(agent: KnownAgent) {
  const { did, publicKey } = agent;
  return {
    id: did,
    version: '0.1.0',
    profileType: 'agent',
    identity: {
      did,
      name: agent.name ?? did,
      ...(publicKey !== undefined && {
        publicKeys: [{ id: keyId(did), type: 'Ed25519', publicKeyMultibase: publicKey }],
      }),
    },
    ...(agent.operatorDid !== undefined && {
      operator: { did: agent.operatorDid, verified: agent.operatorVerified === true },
    }),
  };
}

export function didDocument({ did, publicKey }: KnownAgent) {
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
    id: did,
    ...(publicKey !== undefined && {
      verificationMethod: [
        {
          id: keyId(did),
          type: 'Ed25519VerificationKey2020',
          controller: did,
          publicKeyMultibase: publicKey,
        },
      ],
      authentication: [keyId(did)],
    }),
  };
}

const keyId = (did: string) => `${did}#key-1`;
