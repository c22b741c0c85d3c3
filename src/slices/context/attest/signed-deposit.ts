import { decodeBase64 } from '../../../kernel/base64.ts';
import { decodeUtf8 } from '../../../kernel/json/utf8.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { contextErrors } from '../errors.ts';
import type { DepositResult } from '../packages/deposit.ts';
import { signedEnvelopeSchema } from '../schema.ts';
import type { Attach } from './attach.ts';
import { readStatement } from './rules.ts';

const signaturePolicies = ['off', 'warn', 'enforce'] as const;
type SignaturePolicy = (typeof signaturePolicies)[number];

/** Returns a warning if the project wants signatures and this deposit has none; throws if the project enforces them. */
export type SignDeposit = (
  uow: UnitOfWork,
  deposited: DepositResult,
  header: string | undefined,
  principal: Principal,
) => Promise<string | undefined>;

/** The author's signature comes with the deposit and is stored or refused with it, in one unit. */
export function createSignDeposit(attach: Attach): SignDeposit {
  return async (uow, { stored, created, settings }, header, principal) => {
    if (header !== undefined) {
      const given = readHeader(header);
      const role = readStatement(given.envelope)?.role;
      if (role !== 'author')
        throw contextErrors.attestation_invalid({ details: { reason: 'not_by_author' } });
      await attach(uow, stored, given, principal);
      return undefined;
    }
    const policy = created ? policyOf(settings) : 'off';
    if (policy === 'enforce') throw contextErrors.signature_required();
    return policy === 'warn' ? 'not signed' : undefined;
  };
}

/** An unknown word enforces: somebody believes in that gate. */
function policyOf(settings: string): SignaturePolicy {
  const { require_signature = 'off' } = JSON.parse(settings) as { require_signature?: SignaturePolicy };
  return signaturePolicies.includes(require_signature) ? require_signature : 'enforce';
}

function readHeader(header: string) {
  try {
    const text = decodeUtf8(decodeBase64(header) ?? new Uint8Array());
    return { text, envelope: signedEnvelopeSchema.parse(JSON.parse(text)) };
  } catch (cause) {
    throw contextErrors.attestation_invalid({ details: { reason: 'no_envelope' }, cause });
  }
}
