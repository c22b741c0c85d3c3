import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';

/** Packages first: what stands beside them is checked against them. */
const exportFiles = [
  'projects',
  'sessions',
  'packages',
  'hashes',
  'reviews',
  'tombstones',
  'facts',
  'attestations',
  'blobs',
  'embeddings',
] as const;
export type ExportFile = (typeof exportFiles)[number];

const line = z.string();
const importItemSchema = z.strictObject({
  line: line.describe('A package, or its tombstone, as one line of JSON.'),
  hashes: z
    .looseObject({
      content_hash: z.string(),
      deposit_hash: z.string().optional(),
      body_hash: z.string().optional(),
    })
    .optional(),
  reviews: z.array(line).optional(),
  attestations: z.array(line).optional(),
});
export type ImportItem = z.output<typeof importItemSchema>;

const importFormats = ['relay', 'server-memory', 'beads', 'markdown'] as const;

export const transferOperations = defineOperations({
  'transfer.export': {
    ...read('ours', 'packages:read'),
    summary: 'Export a project page by page, one file of NDJSON lines after the other.',
    description: 'Packages stand as their authors wrote them; drafts of others only for the owner.',
    input: {
      path: z.object({ project_id: z.string() }),
      query: z.object({
        file: z.enum(exportFiles),
        after: z.string().optional(),
        limit: z.number().int().min(1).max(1000).optional(),
      }),
    },
    output: z.object({ lines: z.array(line), next: z.string().nullable() }),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/export' },
  },
  'transfer.import': {
    ...outside('ours', 'import'),
    idempotency: 'repeatable',
    summary: 'Import lines of an export: every hash is recomputed, and all of a batch is taken or none.',
    input: {
      body: z.strictObject({
        dry_run: z.boolean().optional().describe('Check everything and write nothing.'),
        mirror: z
          .boolean()
          .optional()
          .describe('Let what the lines say of a project take the place of what is set here.'),
        projects: z.array(line).optional(),
        sessions: z.array(line).optional(),
        packages: z.array(importItemSchema).optional(),
        tombstones: z.array(importItemSchema).optional(),
        facts: z.array(line).optional(),
        blobs: z.array(line).optional(),
        embeddings: z
          .array(line)
          .optional()
          .describe('Vectors of packages that are here; those of another model or text are passed over.'),
      }),
    },
    output: z.object({
      projects: z.number().int(),
      sessions: z.number().int(),
      packages: z.number().int(),
      reviews: z.number().int(),
      redacted: z.number().int().describe('Packages that stood here and were destroyed.'),
      facts: z.number().int(),
      blobs: z.number().int(),
      embeddings: z.number().int(),
      unchanged: z.number().int(),
      warnings: z.array(z.string()),
    }),
    errors: ['invalid_import', 'project_not_found', 'invalid_project_id'],
    http: { method: 'POST', path: '/v1/import', maxBytes: 64 * 1024 * 1024 },
  },
  'transfer.sync': {
    ...outside('ours', 'packages:read'),
    summary: 'Read what another server needs to become the same, page by page, ready to be imported there.',
    description:
      'Without a cursor a copy of everything begins; then follow the changes since. 410 when the cursor is too old: begin anew.',
    input: {
      path: z.object({ project_id: z.string() }),
      query: z.object({
        cursor: z.string().max(2000).optional().describe('From the page before.'),
        limit: z.number().int().min(1).max(1000).optional(),
        wait: z.number().min(0).max(55).optional().describe('Seconds to wait when there is nothing new.'),
      }),
    },
    output: z.object({
      batch: z.object({
        projects: z.array(line),
        sessions: z.array(line),
        packages: z.array(importItemSchema),
        tombstones: z.array(importItemSchema),
        facts: z.array(line),
        blobs: z.array(line),
      }),
      cursor: z.string(),
      more: z.boolean().describe('Whether there is more at once.'),
    }),
    errors: ['project_not_found', 'invalid_cursor', 'cursor_expired'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/sync' },
  },
  'transfer.convert': {
    ...read('ours', 'import'),
    idempotency: 'refused',
    summary: 'Turn the records of another tool into packages and facts, ready to be imported.',
    input: {
      body: z.strictObject({
        format: z.enum(importFormats),
        project: z.string().min(1),
        file: z.string().optional().describe('For relay: which file of the backup the lines are from.'),
        lines: z.array(z.looseObject({})).describe('Records; notes as {path, text, modified_at}.'),
      }),
    },
    output: z.object({
      packages: z.array(line),
      facts: z.array(line),
      sessions: z.array(line),
      skipped: z.number().int(),
    }),
    errors: ['invalid_import'],
    http: { method: 'POST', path: '/v1/import/convert', maxBytes: 64 * 1024 * 1024 },
  },
});
