import { decodeBase64 } from '../../../kernel/base64.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { requireActor } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { AssertFact } from '../facts/assert.ts';
import { keyHash, selectFacts } from '../facts/store.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import {
  checkEnvelope,
  type Envelope,
  type EnvelopeCheck,
  KEY_PREDICATE,
  type KnownKey,
  keyIdOf,
  keySubject,
  offeredKey,
  readStatement,
} from './rules.ts';
import { insertAttestation } from './store.ts';

export interface AttachResult {
  readonly checked: EnvelopeCheck;
  /** False if the same envelope existed before. */
  readonly fresh: boolean;
}

/** Checks the envelope and stores it with the package; throws if it does not attest the package. */
export type Attach = (
  uow: UnitOfWork,
  stored: StoredPackage,
  given: { readonly envelope: Envelope; readonly text: string },
  principal: Principal,
) => Promise<AttachResult>;

export function createAttach(
  { hasher, record }: Pick<ContextDeps, 'hasher' | 'record'>,
  assertFact: AssertFact,
): Attach {
  return async (uow, stored, { envelope, text }, principal) => {
    if (stored.tombstone !== null) throw contextErrors.package_redacted();
    const statement = readStatement(envelope);
    if (!statement) throw contextErrors.attestation_invalid({ details: { reason: 'no_statement' } });
    const actor = statement.actor as { id: string; type: 'human' | 'agent' | 'script' };
    requireActor(principal, actor, '/payload');
    const keys = await knownKeys(uow, hasher, stored.projectId, actor);
    const { public_key: given } = envelope;
    const offered = given === undefined ? undefined : offeredKey(hasher, given);
    const firstUse = offered !== undefined && keys.length === 0;
    const checked = checkEnvelope(envelope, stored, firstUse ? [offered] : keys.filter((key) => key.current));
    if (!checked.valid) throw contextErrors.attestation_invalid({ details: { reason: checked.reason } });
    if (firstUse) {
      const view = { subject: keySubject(actor), predicate: KEY_PREDICATE, value: offered.text };
      await assertFact(uow, { projectId: stored.projectId, view, principal });
    }
    const fresh = await insertAttestation(uow, stored, text, hasher.hex(text));
    if (fresh) {
      await record(uow, {
        projectId: stored.projectId,
        by: principal.actor,
        type: 'package.attested',
        payload: {
          package_id: stored.packageId,
          body_hash: stored.bodyHash,
          keyid: checked.keyid,
          role: statement.role,
          actor_id: actor.id,
          actor_type: actor.type,
        },
      });
    }
    return { checked, fresh };
  };
}

/** The keys of an actor in a project, the latest first. */
export async function knownKeys(
  reader: Reader,
  hasher: Hasher,
  projectId: string,
  actor: { readonly id: string; readonly type: string },
): Promise<KnownKey[]> {
  const key = { projectId, subject: keySubject(actor), predicate: KEY_PREDICATE };
  const { facts } = await selectFacts(reader, { ...key, key: keyHash(hasher, key), limit: 50 });
  return facts.flatMap((fact) => {
    const bytes = decodeBase64(fact.value);
    if (bytes?.byteLength !== 32) return [];
    const revoked = fact.invalidatedBy !== null;
    return [{ keyid: keyIdOf(hasher, bytes), bytes, revoked, current: fact.validTo === null }];
  });
}
