import { z } from 'zod';
import { defineOperations, raw } from '../../../spine/operations/define.ts';

const blobPath = z.object({ project_id: z.string(), hash: z.string() });

export const blobOperations = defineOperations({
  'blobs.put': {
    ...raw('agentic', 'packages:write'),
    summary: 'Store the bytes of a deliverable under their SHA-256.',
    description: 'The path names `sha256:<hex>`; bytes with any other hash are refused.',
    input: { path: blobPath },
    errors: ['project_not_found', 'project_archived', 'hash_mismatch', 'blob_too_large', 'invalid_schema'],
    http: { method: 'PUT', path: '/v1/projects/{project_id}/blobs/{hash}' },
  },
  'blobs.get': {
    ...raw('agentic', 'packages:read'),
    summary: 'Read the bytes of a deliverable.',
    input: { path: blobPath },
    errors: ['project_not_found', 'blob_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/blobs/{hash}' },
  },
});
