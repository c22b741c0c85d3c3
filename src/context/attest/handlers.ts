import { readDocument } from '../../kernel/json/reader.ts';
import { writeJson } from '../../kernel/json/write.ts';
import type { Handlers } from '../../operations/handler.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { contextErrors } from '../errors.ts';
import type { Facts } from '../facts/facts.ts';
import { findPackage } from '../packages/find-package.ts';
import { requireActor } from '../rules/actor.ts';
import { type Envelope, KEY_PREDICATE, keySubject, readStatement } from '../rules/dsse.ts';
import { type Checked, checkEnvelope, knownKeys, offeredKey } from './attest.ts';
import { insertAttestation, selectAttestations } from './attestation-store.ts';
import type { attestOperations } from './operations.ts';

export function createAttestHandlers(
  { hasher }: Pick<ContextParts, 'hasher'>,
  facts: Facts,
  record: RecordLedger,
): Handlers<typeof attestOperations> {
  return {
    'attestations.add': async (uow, { input, document, principal }) => {
      const { public_key: given, ...rest } = input.body;
      const envelope = rest as Envelope;
      const stored = await findPackage(uow, principal, input.path.package_id, input.query.project);
      if (stored.tombstone !== null) throw contextErrors.package_redacted();
      const statement = readStatement(envelope);
      if (!statement) throw contextErrors.attestation_invalid({ details: { reason: 'no_statement' } });
      const actor = statement.actor as { id: string; type: 'human' | 'agent' | 'script' };
      requireActor(principal, actor, '/payload');
      const keys = await knownKeys(uow, hasher, stored.projectId, actor);
      const offered = given === undefined ? undefined : offeredKey(hasher, given);
      const firstUse = offered !== undefined && keys.length === 0;
      const checked = checkEnvelope(
        envelope,
        stored,
        firstUse ? [offered] : keys.filter((key) => key.current),
      );
      if (!checked.valid) throw contextErrors.attestation_invalid({ details: { reason: checked.reason } });
      if (firstUse) {
        const fact = { subject: keySubject(actor), predicate: KEY_PREDICATE, value: offered.text };
        await facts.assert(uow, {
          projectId: stored.projectId,
          document: readDocument(JSON.stringify(fact)),
          view: fact,
          principal,
        });
      }
      const text = writeJson(document?.value ?? {});
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
      return { status: fresh ? 201 : 200, body: body(checked, text) };
    },

    'attestations.list': async (reader, { input, principal }) => {
      const stored = await findPackage(reader, principal, input.path.package_id, input.query.project);
      const attestations = [];
      for (const text of await selectAttestations(reader, stored)) {
        const envelope = JSON.parse(text) as Envelope;
        const actor = readStatement(envelope)?.actor;
        const keys = actor ? await knownKeys(reader, hasher, stored.projectId, actor) : [];
        attestations.push(body(checkEnvelope(envelope, stored, keys), text));
      }
      return { body: { attestations } };
    },
  };
}

function body({ statement, keyid, valid, reason }: Checked, text: string) {
  return {
    actor: statement ? { ...statement.actor } : null,
    role: statement?.role ?? null,
    keyid,
    valid,
    reason,
    envelope: JSON.parse(text),
  };
}
