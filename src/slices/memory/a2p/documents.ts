import type { Micros } from '../../../kernel/clock.ts';
import { liveKeys } from '../registry/rules.ts';
import type { KnownAgent } from '../registry/store.ts';

/** A registered agent as a2p's own profile of it. */
export function agentProfile(agent: KnownAgent, now: Micros) {
  const keys = keysOf(agent, now);
  return {
    id: agent.did,
    version: '0.1.0',
    profileType: 'agent',
    identity: {
      did: agent.did,
      name: agent.name ?? agent.did,
      ...(keys.length > 0 && { publicKeys: keys.map((key) => ({ ...key, type: 'Ed25519' })) }),
    },
    ...(agent.operatorDid !== undefined && {
      operator: { did: agent.operatorDid, verified: agent.operatorVerified === true },
    }),
  };
}

export function didDocument(agent: KnownAgent, now: Micros) {
  const keys = keysOf(agent, now);
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
    id: agent.did,
    ...(keys.length > 0 && {
      verificationMethod: keys.map((key) => ({
        ...key,
        type: 'Ed25519VerificationKey2020',
        controller: agent.did,
      })),
      authentication: keys.map(({ id }) => id),
    }),
  };
}

/** Those that hold now: during a rotation the old one and the new one. */
function keysOf({ did, keys }: KnownAgent, now: Micros) {
  return liveKeys(keys, now).map(({ id, publicKeyMultibase }) => ({
    id: `${did}#${id}`,
    publicKeyMultibase,
  }));
}
