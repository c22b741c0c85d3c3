import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { attestationSchema, inProject, packagePath, signedEnvelopeSchema } from '../schema.ts';

const MISSING = ['package_not_found', 'project_not_found', 'ambiguous_package_id'];

export const attestOperations = defineOperations({
  'attestations.add': {
    ...write('agentic', 'packages:write'),
    summary: 'Attest a package with a detached Ed25519 signature in a DSSE envelope.',
    input: { path: packagePath, query: inProject, body: signedEnvelopeSchema },
    bodyName: 'envelope',
    output: attestationSchema,
    errors: [...MISSING, 'attestation_invalid', 'actor_mismatch', 'invalid_actor_id', 'package_redacted'],
    http: { method: 'POST', path: '/v1/packages/{package_id}/attestations', status: 201 },
  },
  'attestations.list': {
    ...read('agentic', 'packages:read'),
    summary: 'List who signed a package, and check each signature.',
    input: { path: packagePath, query: inProject },
    output: z.object({ attestations: z.array(attestationSchema) }),
    errors: MISSING,
    http: { method: 'GET', path: '/v1/packages/{package_id}/attestations' },
    cli: { command: 'attestations', positionals: ['package_id'] },
  },
});
