import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { projectPath } from '../schema.ts';
import {
  convertedSchema,
  convertSchema,
  exportPageSchema,
  exportQuery,
  importCountsSchema,
  importSchema,
  syncPageSchema,
  syncQuery,
} from './schema.ts';

/** The largest blob in Base64, and a page of other lines. */
const LARGEST_IMPORT = 16 * 1024 * 1024;
const LARGEST_CONVERTED = 8 * 1024 * 1024;

export const transferOperations = defineOperations({
  'transfer.export': {
    ...read('ours', 'packages:read'),
    summary: 'Export a project page by page, one NDJSON file after another.',
    description: "Packages are exported exactly as written; only the owner gets other people's drafts.",
    input: { path: projectPath, query: exportQuery },
    output: exportPageSchema,
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/export' },
  },
  'transfer.import': {
    ...outside('ours', 'import'),
    idempotency: 'repeatable',
    summary: 'Import lines of an export. Every hash is recomputed, and a batch is taken whole or not at all.',
    input: { body: importSchema },
    output: importCountsSchema,
    errors: ['invalid_import', 'project_not_found', 'invalid_project_id'],
    http: { method: 'POST', path: '/v1/import', maxBytes: LARGEST_IMPORT },
  },
  'transfer.sync': {
    ...outside('ours', 'packages:read'),
    summary: 'Read what another server needs to become a copy, page by page, ready to be imported there.',
    description:
      'Without a cursor it begins with a full copy, then follows the changes. 410 if the cursor is too old: start over.',
    input: { path: projectPath, query: syncQuery },
    output: syncPageSchema,
    errors: ['project_not_found', 'invalid_cursor', 'cursor_expired'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/sync' },
  },
  'transfer.convert': {
    ...read('ours', 'import'),
    idempotency: 'refused',
    summary: 'Convert records of another tool to packages and facts, ready to be imported.',
    input: { body: convertSchema },
    output: convertedSchema,
    errors: ['invalid_import'],
    http: { method: 'POST', path: '/v1/import/convert', maxBytes: LARGEST_CONVERTED },
  },
});
