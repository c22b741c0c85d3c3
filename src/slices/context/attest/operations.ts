import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';

const packagePath = z.object({ package_id: z.string() });
const inProject = z.object({ project: z.string().optional() });
export const envelopeSchema = z.looseObject({
  payloadType: z.string(),
  payload: z.string().describe('Base64 of an in-toto statement about the package and its body hash.'),
  signatures: z
    .array(z.looseObject({ keyid: z.string(), sig: z.string() }))
    .min(1)
    .max(8),
  public_key: z
    .string()
    .optional()
    .describe('Base64 of the raw Ed25519 key, at the first use of it by its actor.'),
});
const attestationSchema = z.object({
  actor: z.looseObject({ id: z.string(), type: z.string() }).nullable(),
  role: z.string().nullable(),
  keyid: z.string(),
  valid: z.boolean(),
  reason: z.string().nullable(),
  envelope: z.looseObject({}),
});

export const attestOperations = defineOperations({
  'attestations.add': {
    ...write('agentic', 'packages:write'),
    summary: 'Attest a package with a detached Ed25519 signature in a DSSE envelope.',
    input: { path: packagePath, query: inProject, body: envelopeSchema },
    bodyName: 'envelope',
    output: attestationSchema,
    errors: [
      'package_not_found',
      'project_not_found',
      'ambiguous_package_id',
      'attestation_invalid',
      'actor_mismatch',
      'package_redacted',
    ],
    http: { method: 'POST', path: '/v1/packages/{package_id}/attestations', status: 201 },
  },
  'attestations.list': {
    ...read('agentic', 'packages:read'),
    summary: 'List who signed a package, each signature checked.',
    input: { path: packagePath, query: inProject },
    output: z.object({ attestations: z.array(attestationSchema) }),
    errors: ['package_not_found', 'project_not_found', 'ambiguous_package_id'],
    http: { method: 'GET', path: '/v1/packages/{package_id}/attestations' },
    cli: { command: 'attestations', positionals: ['package_id'] },
  },
});
