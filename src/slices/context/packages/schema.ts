import { z } from 'zod';
import { ownProject } from '../../../spine/operations/own-project.ts';
import {
  limitSchema,
  momentSchema,
  packageSchema,
  packageStatuses,
  packageTypes,
  reviewTypes,
  significanceSchema,
} from '../schema.ts';

const { shape } = packageSchema;

/** A package whose fields with an obvious default the server fills in. */
export const packageDraftSchema = z.looseObject({
  title: shape.title.describe('One line: what happened.'),
  description: z.string().optional().describe('What was done and why.'),
  decisions_made: z.array(z.string()).optional().describe('Each decision with its reason.'),
  open_questions: z.array(z.string()).optional().describe('What is still open.'),
  handoff_note: z.string().optional().describe('What whoever continues should know and do.'),
  estimated_next_actor: z.enum(['human', 'agent']).optional(),
  package_type: z
    .string()
    .optional()
    .describe(`${packageTypes.join(', ')}, or your own type that begins with x-.`),
  status: z
    .enum(packageStatuses)
    .optional()
    .describe('Defaults to complete, or to awaiting_review if a review is requested.'),
  review_type: z.enum(reviewTypes).optional().describe('Request a review: human or agent.'),
  tags: z.array(z.string()).optional(),
  topic: z.string().optional(),
  significance: shape.significance,
  content_md: z.string().optional().describe('The body as Markdown, if there is one.'),
  deliverables: shape.deliverables.describe(
    'What was produced, each with its path and type. Over MCP beside the files: a path alone, which is then uploaded.',
  ),
  parent_package_id: z.string().min(1).optional().describe('What this builds on or corrects.'),
  'x-resolves': shape['x-resolves'].describe('Open questions that this answers.'),
  'x-anchors': shape['x-anchors'].describe('Files that it describes, each with its path and git blob id.'),
  project: ownProject,
  package_id: z
    .string()
    .min(1)
    .optional()
    .describe('The server chooses one by default; give it to retry safely.'),
  session_id: z.string().optional().describe('The session this belongs to.'),
});

export type PackageDraft = z.output<typeof packageDraftSchema>;

const envelopeFlag = z
  .boolean()
  .optional()
  .describe('Return each package in an envelope with its hashes and reviews.');

export const packageListQuery = z.object({
  mode: z
    .enum(['latest', 'relevant', 'specific'])
    .optional()
    .describe('`latest` (the default) newest first, `relevant` by a query, `specific` by id.'),
  query: z.string().max(2000).optional().describe('For `relevant`: what to look for.'),
  package_id: z.string().optional().describe('For `specific`.'),
  limit: limitSchema,
  cursor: z.string().optional().describe('Of the page before: `next`, or over HTTP in its `Link` header.'),
  status: z.enum(packageStatuses).optional(),
  package_type: z.string().optional(),
  author: z.string().optional().describe('Only by this actor.'),
  session_id: z.string().optional(),
  callsign: z.string().optional().describe('Only from sessions with this callsign, such as coral-heron.'),
  since: momentSchema.optional().describe('Created at or after.'),
  until: momentSchema.optional().describe('Created before.'),
  min_significance: significanceSchema,
  envelope: envelopeFlag,
});
export type PackageListQuery = z.output<typeof packageListQuery>;

export const packageQuery = z.object({
  project: z.string().optional().describe('Which project, if several have a package with this id.'),
  envelope: envelopeFlag,
});

export const depositHeaders = z.object({
  'relay-content-hash': z.string().optional().describe('The hash you computed; refused if ours differs.'),
  'relay-if-head': z.string().optional().describe('Refuse unless this package is still a head.'),
  'relay-allow-secrets': z.boolean().optional().describe('What looks like a secret is not one.'),
  'relay-attestation': z
    .string()
    .optional()
    .describe("Base64 of a DSSE envelope: the author's signature, kept with the package."),
  'relay-want': z.string().optional(),
});

export const headsQuery = z.object({
  root: z.string().optional().describe('Only heads that descend from this package, itself included.'),
  limit: z.number().int().min(1).max(200).optional(),
});
