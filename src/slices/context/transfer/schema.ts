import { z } from 'zod';
import { actorTypes, instantSchema, packageStatuses, reviewTypes } from '../schema.ts';

/** Packages come first: whatever accompanies them is checked against them. */
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

export const exportQuery = z.object({
  file: z.enum(exportFiles),
  after: z.string().optional(),
  limit: z.number().int().min(1).max(1000).optional(),
});

export const exportPageSchema = z.object({ lines: z.array(line), next: z.string().nullable() });
export type ExportPage = z.output<typeof exportPageSchema>;

export const importSchema = z.strictObject({
  dry_run: z.boolean().optional().describe('Check everything and write nothing.'),
  mirror: z.boolean().optional().describe('Let what the lines say of a project replace what is set here.'),
  projects: z.array(line).optional(),
  sessions: z.array(line).optional(),
  packages: z.array(importItemSchema).optional(),
  tombstones: z.array(importItemSchema).optional(),
  facts: z.array(line).optional(),
  blobs: z.array(line).optional(),
  embeddings: z
    .array(line)
    .optional()
    .describe('Vectors of packages that are here; those of another model or text are skipped.'),
});
export type ImportBatch = Omit<z.output<typeof importSchema>, 'dry_run'>;

export const importCountsSchema = z.object({
  projects: z.number().int(),
  sessions: z.number().int(),
  packages: z.number().int(),
  reviews: z.number().int(),
  redacted: z.number().int().describe('Packages that were here and are destroyed now.'),
  facts: z.number().int(),
  blobs: z.number().int(),
  embeddings: z.number().int(),
  unchanged: z.number().int(),
  warnings: z.array(z.string()),
});
export type ImportCounts = z.output<typeof importCountsSchema>;

export const syncQuery = z.object({
  cursor: z.string().max(2000).optional().describe('From the page before.'),
  limit: z.number().int().min(1).max(1000).optional(),
  wait: z.number().min(0).max(55).optional().describe('Seconds to wait if there is nothing new.'),
});

export const syncPageSchema = z.object({
  batch: z.object({
    projects: z.array(line),
    sessions: z.array(line),
    packages: z.array(importItemSchema),
    tombstones: z.array(importItemSchema),
    facts: z.array(line),
    blobs: z.array(line),
  }),
  cursor: z.string(),
  more: z.boolean().describe('Whether the next page is ready now.'),
});

export const convertSchema = z.strictObject({
  format: z.enum(['relay', 'server-memory', 'beads', 'markdown']),
  project: z.string().min(1),
  file: z.string().optional().describe('For relay: the file of the backup that the lines are from.'),
  lines: z.array(z.looseObject({})).describe('Records; notes as {path, text, modified_at}.'),
});

export const convertedSchema = z.object({
  packages: z.array(line),
  facts: z.array(line),
  sessions: z.array(line),
  skipped: z.number().int(),
});

/* Lines of an export other than packages and facts. */
export const projectLine = z.looseObject({
  project_id: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  description: z.string().nullish(),
  settings: z.looseObject({}).optional(),
  created_at: instantSchema.optional(),
  archived_at: instantSchema.nullish(),
});

export const sessionLine = z.looseObject({
  session_id: z.string().min(1),
  project_id: z.string(),
  actor_id: z.string().min(1),
  actor_type: z.enum(actorTypes),
  callsign: z.string().nullish(),
  started_at: instantSchema,
  ended_at: instantSchema.nullish(),
});
export type SessionLine = z.output<typeof sessionLine>;

export const tombstoneLine = z.looseObject({
  project_id: z.string(),
  package_id: z.string().min(1),
  content_hash: z.string(),
  body_hash: z.string(),
  deposit_hash: z.string(),
  status: z.enum(packageStatuses),
  review_type: z.enum(reviewTypes),
  package_type: z.string(),
  created_at: instantSchema,
  created_by: z.object({ id: z.string(), type: z.enum(actorTypes) }),
  parents: z.array(z.string()).optional(),
  blobs: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)).optional(),
});
export type TombstoneLine = z.output<typeof tombstoneLine>;

export const blobLine = z.looseObject({
  project_id: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  media_type: z.string(),
  bytes_base64: z.string(),
});
