import { z } from 'zod';
import { parseInstant } from '../../kernel/instant.ts';

/* Wire formats of the Agentic Protocol 0.1. Objects are loose, to keep what we do not know. Defaults would change hashes. */

export const PROTOCOL_VERSION = '0.1';
export const CONFORMANCE_LEVEL = 'L3';

export const packageStatuses = ['draft', 'complete', 'awaiting_review', 'revision_requested'] as const;
export const reviewTypes = ['none', 'human', 'agent'] as const;
export const actorTypes = ['human', 'agent', 'script'] as const;
export const packageTypes = [
  'standard',
  'milestone',
  'decision',
  'handoff',
  'auto_deposit',
  'analysis',
  'question',
  'orchestrator_report',
] as const;

const MAX_TITLE = 200;

export const instantSchema = z
  .string()
  .refine((text) => parseInstant(text)?.utc === true, 'must be an RFC 3339 timestamp in UTC');

export const actorSchema = z.looseObject({
  id: z.string().min(1),
  type: z.enum(actorTypes),
  session_id: z.string().nullish(),
});

const deliverableSchema = z.looseObject({
  path: z.string(),
  type: z.string(),
  hash: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*:[0-9a-f]+$/i, 'must be <algorithm>:<hex>')
    .nullish(),
  size_bytes: z.number().int().min(0).nullish(),
});

const titleSchema = z.string().refine((text) => {
  const length = [...text].length;
  return length >= 1 && length <= MAX_TITLE;
}, 'must have 1 to 200 characters');

const packageTypeSchema = z
  .string()
  .refine((text) => (packageTypes as readonly string[]).includes(text) || /^x-./.test(text), {
    message: `must be one of ${packageTypes.join(', ')}, or begin with x-`,
  });

const refSchema = z.looseObject({
  rel: z.string(),
  project_id: z.string(),
  package_id: z.string(),
  content_hash: z.string().nullish(),
});

const MOST_ANCHORS = 100;

/** A file that the text describes, and its git blob at the time: a later reader can see whether it has changed. */
export const anchorsSchema = z
  .array(
    z.looseObject({
      path: z
        .string()
        .max(4096)
        .refine(isInsideRepository, 'must be a path inside the repository, its parts joined by /'),
      blob: z
        .string()
        .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the id of a git blob, 40 or 64 hexadecimal digits'),
      repo: z.string().min(1).nullish(),
    }),
  )
  .max(MOST_ANCHORS);

export type Anchor = z.output<typeof anchorsSchema>[number];

/** The anchors in the wire text of a package or a fact; malformed ones, from an import, count as none. */
export function anchorsIn(wire: string): readonly Anchor[] {
  // Most mention no files and need not be parsed.
  if (!wire.includes('"x-anchors"')) return [];
  const given = (JSON.parse(wire) as { 'x-anchors'?: unknown })['x-anchors'];
  return anchorsSchema.safeParse(given).data ?? [];
}

function isInsideRepository(path: string): boolean {
  return (
    !/[\\\0]/.test(path) && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

export const packageSchema = z.looseObject({
  package_id: z.string().min(1),
  project_id: z.string().min(1),
  relay_version: z.literal(PROTOCOL_VERSION),
  title: titleSchema,
  status: z.enum(packageStatuses),
  package_type: packageTypeSchema,
  review_type: z.enum(reviewTypes),
  created_at: instantSchema,
  created_by: actorSchema,
  description: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  decisions_made: z.array(z.string()).nullish(),
  open_questions: z.array(z.string()).nullish(),
  handoff_note: z.string().nullish(),
  estimated_next_actor: z.enum(['human', 'agent']).nullish(),
  deliverables: z.array(deliverableSchema).nullish(),
  parent_package_id: z.string().min(1).nullish(),
  significance: z.number().int().min(1).max(10).nullish(),
  content_md: z.string().nullish(),
  topic: z.string().nullish(),
  artifact_type: z.string().nullish(),
  storage_path: z.string().nullish(),
  'x-parents': z.array(z.string().min(1)).nullish(),
  'x-refs': z.array(refSchema).nullish(),
  'x-resolves': z.array(z.looseObject({ package_id: z.string(), question: z.string() })).nullish(),
  'x-anchors': anchorsSchema.nullish(),
});
export type Package = z.output<typeof packageSchema>;

export const factSchema = z.looseObject({
  fact_id: z.string().min(1),
  project_id: z.string().min(1),
  subject: z.string().min(1),
  predicate: z.string().min(1),
  value: z.string(),
  valid_from: instantSchema,
  created_at: instantSchema,
  valid_to: instantSchema.nullish(),
  source_package_id: z.string().nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  asserted_by: actorSchema.nullish(),
  tags: z.array(z.string()).nullish(),
});
export type Fact = z.output<typeof factSchema>;

export const reviewEntrySchema = z.object({
  project_id: z.string(),
  package_id: z.string(),
  seq: z.number().int(),
  from: z.enum(packageStatuses),
  to: z.enum(packageStatuses),
  review_type_before: z.enum(reviewTypes),
  review_type_after: z.enum(reviewTypes),
  actor: z.object({ id: z.string(), type: z.enum(actorTypes), session_id: z.string().nullable() }),
  note: z.string().nullable(),
  note_salt: z.string().nullable(),
  at: z.string(),
  prev_hash: z.string(),
  new_hash: z.string(),
  previous_entry_hash: z.string().nullable(),
  note_hash: z.string().nullable(),
  entry_hash: z.string(),
});

export const envelopeSchema = z.looseObject({
  package: packageSchema.nullable(),
  content_hash: z.string().describe('Of the package as it is now, `sha256:<hex>`.'),
  deposit_hash: z.string().describe('Of the package as it was deposited.'),
  body_hash: z.string().describe('Without status and review_type: the same through every review.'),
  superseded_by: z.string().nullable(),
  redacted: z.boolean(),
  reviews: z.array(reviewEntrySchema).optional(),
});

/** A time as people and agents give it: an instant in UTC, or a day. */
export const momentSchema = z
  .string()
  .refine(
    (text) => parseInstant(dayAsInstant(text)) !== undefined,
    'must be an RFC 3339 timestamp or a date (YYYY-MM-DD)',
  );

function dayAsInstant(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}

/** Microseconds of an instant, or of the first instant of a day. */
export function moment(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInstant(dayAsInstant(text))?.micros;
}

export const limitSchema = z.number().int().min(1).optional().describe('A page has at most 200.');
export const significanceSchema = z
  .number()
  .int()
  .min(1)
  .max(10)
  .optional()
  .describe('Leave out anything less significant. A package without a significance counts as 5.');

/** How many there are in all. Counting stops at 100,000, which is said. */
export const totalSchema = z.object({
  count: z.int(),
  exact: z.boolean().describe('False when there are more than `count`.'),
});

/** Inputs that several subjects take. */
export const projectPath = z.object({ project_id: z.string() });
export const packagePath = z.object({ package_id: z.string() });
export const inProject = z.object({ project: z.string().optional() });
export const ownSession = z.string().optional().describe('The session that you work in.');

const noteSchema = z.string().max(10_000).optional();

export const flagSchema = z.strictObject({ review_type: z.enum(['human', 'agent']), note: noteSchema });

export const reviewDecisionSchema = z.strictObject({
  verdict: z.enum(['approve', 'request_changes', 'complete']),
  reviewer: z
    .looseObject({ id: z.string(), type: z.enum(actorTypes) })
    .optional()
    .describe("The credential's actor; anybody else is refused."),
  note: noteSchema,
});

export const reviewQueueQuery = z.object({
  status: z.enum(packageStatuses).optional().describe('Defaults to awaiting_review.'),
  review_type: z.enum(['human', 'agent']).optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: z.string().optional(),
});
export type ReviewQueueQuery = z.output<typeof reviewQueueQuery>;

/** A DSSE envelope. */
export const signedEnvelopeSchema = z.looseObject({
  payloadType: z.string(),
  payload: z.string().describe('Base64 of an in-toto statement about the package and its body hash.'),
  signatures: z
    .array(z.looseObject({ keyid: z.string(), sig: z.string() }))
    .min(1)
    .max(8),
  public_key: z
    .string()
    .optional()
    .describe('Base64 of the raw Ed25519 key, when its actor uses it for the first time.'),
});

export const attestationSchema = z.object({
  actor: z.looseObject({ id: z.string(), type: z.string() }).nullable(),
  role: z.string().nullable(),
  keyid: z.string(),
  valid: z.boolean(),
  reason: z.string().nullable(),
  envelope: z.looseObject({}),
});

export const changeSchema = z.looseObject({
  seq: z.number().int().describe('Position in the project, and the cursor to resume from.'),
  type: z.string(),
  project_id: z.string(),
  at: z.string(),
  actor: z.looseObject({ id: z.string() }).nullable(),
  ids: z.looseObject({}),
  content_hash: z.string().nullable(),
});

export const eventsQuery = z.object({
  types: z.array(z.string()).optional().describe('Only events of these types.'),
  since: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Continue after this number. Defaults to the oldest event kept.'),
  from: z.enum(['now']).optional().describe('Without `since`: only what happens from now on.'),
  include: z.enum(['body']).optional().describe('`body` puts the package or fact into each event.'),
});
export type EventsQuery = z.output<typeof eventsQuery>;

export const changesQuery = eventsQuery.extend({
  limit: z.number().int().min(1).max(1000).optional(),
  wait: z.number().min(0).max(55).optional().describe('Seconds to wait if there is nothing new.'),
});
export type ChangesQuery = z.output<typeof changesQuery>;

export const descriptorSchema = z.looseObject({
  protocol_version: z.string(),
  conformance_level: z.enum(['L0', 'L1', 'L2', 'L3']),
  capabilities: z.looseObject({
    hybrid_search: z.boolean(),
    semantic_search: z.boolean(),
    realtime: z.boolean(),
    blob_storage: z.boolean(),
  }),
  implementation: z.object({ name: z.string(), version: z.string() }),
  operations: z.record(z.string(), z.boolean()),
  extensions: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
});
