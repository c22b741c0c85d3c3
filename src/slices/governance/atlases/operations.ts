import { z } from 'zod';
import { defineOperations, outside, read, write } from '../../../spine/operations/define.ts';
import { ownProject as project } from '../../../spine/operations/own-project.ts';
import { acceptHeader } from '../schema.ts';
import { atlasManifestSchema, atlasSummarySchema, manifestBody } from './schema.ts';

const atlasPath = z.object({ atlas_id: z.string() });
const projectQuery = z.object({ project });
const LARGEST_MANIFEST = { maxBytes: 8_388_608, maxValues: 100_000 };

export const atlasOperations = defineOperations({
  'atlas.list': {
    ...read('cra', 'atlas:read'),
    summary: 'List the loaded Atlases.',
    input: { query: z.object({ project, envelope: z.boolean().optional() }) },
    output: z.union([
      z.array(atlasSummarySchema),
      z.object({ items: z.array(atlasSummarySchema), total: z.int() }),
    ]),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/atlases' },
    mcp: { tool: 'governance', action: 'atlases' },
    cli: { command: 'atlas list' },
  },
  'atlas.load': {
    ...write('cra', 'atlas:write'),
    decides: true,
    summary: 'Load an Atlas, replacing any other version of the same id.',
    description: 'Context files travel in `metadata.context_files`, an object of path → text.',
    input: {
      query: z.object({
        project,
        mode: z.enum(['enforce', 'log_only']).optional(),
        guardrail: z
          .boolean()
          .optional()
          .describe(
            'Apply its deny, approval and limit rules to every request of the project. Only a person sets or ends this; unless given, it stays as it is.',
          ),
      }),
      body: manifestBody,
    },
    bodyName: 'manifest',
    output: atlasSummarySchema,
    errors: [
      'project_not_found',
      'invalid_atlas_manifest',
      'atlas_already_loaded',
      'action_conflict',
      'atlas_dependency_missing',
      'atlas_in_use',
      'version_too_small',
      'guardrail_protected',
      'work_too_large',
      'work_queue_full',
    ],
    http: { method: 'POST', path: '/v1/atlases', status: 201, ...LARGEST_MANIFEST },
  },
  'atlas.get': {
    ...read('cra', 'atlas:read'),
    summary: 'Read the manifest of a loaded Atlas.',
    input: { path: atlasPath, query: projectQuery, headers: acceptHeader },
    output: atlasManifestSchema,
    errors: ['project_not_found', 'atlas_not_found'],
    http: { method: 'GET', path: '/v1/atlases/{atlas_id}' },
    mcp: { tool: 'governance', action: 'atlas' },
    cli: { command: 'atlas show', positionals: ['atlas_id'] },
  },
  'atlas.unload': {
    ...write('cra', 'atlas:write'),
    decides: true,
    summary: 'Unload an Atlas; its rules stop applying at once.',
    input: { path: atlasPath, query: projectQuery },
    output: z.null(),
    errors: ['project_not_found', 'atlas_not_found', 'atlas_in_use', 'guardrail_protected'],
    http: { method: 'DELETE', path: '/v1/atlases/{atlas_id}', status: 204 },
    cli: { command: 'atlas unload', positionals: ['atlas_id'] },
  },
  'atlas.check': {
    ...outside('cra', 'atlas:read'),
    idempotency: 'repeatable',
    summary: 'Report what is wrong or doubtful in a manifest, without loading it.',
    input: { body: manifestBody },
    bodyName: 'manifest',
    output: z.object({ loadable: z.boolean(), findings: z.array(z.looseObject({})) }),
    errors: ['work_too_large', 'work_queue_full'],
    http: { method: 'POST', path: '/v1/atlases/check', ...LARGEST_MANIFEST },
  },
  'atlas.analysis': {
    ...outside('cra', 'atlas:read'),
    summary: 'Find rules that never matter, rules that allow too much, and actions nobody can run.',
    input: { path: atlasPath, query: projectQuery },
    output: z.object({ findings: z.array(z.looseObject({})), complete: z.boolean() }),
    errors: ['project_not_found', 'atlas_not_found', 'work_too_large', 'work_queue_full'],
    http: { method: 'GET', path: '/v1/atlases/{atlas_id}/analysis' },
  },
});
