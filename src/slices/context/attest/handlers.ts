import { writeJson } from '../../../kernel/json/write.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import { findPackage } from '../packages/find.ts';
import type { ContextDeps } from '../ports.ts';
import { type Attach, knownKeys } from './attach.ts';
import type { attestOperations } from './operations.ts';
import { checkEnvelope, type Envelope, type EnvelopeCheck, readStatement } from './rules.ts';
import { selectAttestations } from './store.ts';

export function createAttestHandlers(
  { hasher }: Pick<ContextDeps, 'hasher'>,
  attach: Attach,
): Handlers<typeof attestOperations> {
  return {
    'attestations.add': async (uow, { input, document, principal }) => {
      const stored = await findPackage(uow, principal, input.path.package_id, input.query.project);
      const text = writeJson(document?.value ?? {});
      const { checked, fresh } = await attach(uow, stored, { envelope: input.body, text }, principal);
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

function body({ statement, keyid, valid, reason }: EnvelopeCheck, text: string) {
  return {
    actor: statement ? { ...statement.actor } : null,
    role: statement?.role ?? null,
    keyid,
    valid,
    reason,
    envelope: JSON.parse(text),
  };
}
