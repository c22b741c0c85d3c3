import { z } from 'zod';
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

/** A package of which the server fills in what only has one sensible value. */
export const packageDraftSchema = z.looseObject({
  title: shape.title.describe('One line: what happened.'),
  description: z.string().optional().describe('What was done and why.'),
  decisions_made: z.array(z.string()).optional().describe('Each decision with its reason.'),
  open_questions: z.array(z.string()).optional().describe('What is still open.'),
  handoff_note: z.string().optional().describe('What the next one should know and do.'),
  estimated_next_actor: z.enum(['human', 'agent']).optional(),
  package_type: z
    .string()
    .optional()
    .describe(`${packageTypes.join(', ')}, or a type of your own that begins with x-.`),
  status: z.enum(packageStatuses).optional().describe('complete unless a review is asked for.'),
  review_type: z.enum(reviewTypes).optional().describe('Ask for review: human or agent.'),
  tags: z.array(z.string()).optional(),
  topic: z.string().optional(),
  significance: shape.significance,
  content_md: z.string().optional().describe('The body as Markdown, where there is one.'),
  deliverables: shape.deliverables.describe('What was produced: path and type of each.'),
  parent_package_id: z.string().min(1).optional().describe('What this builds on or corrects.'),
  'x-resolves': shape['x-resolves'].describe('Open questions that this answers.'),
  'x-anchors': shape['x-anchors'].describe('Files that it describes: path and git blob id of each.'),
  project: z.string().optional().describe('The default project of the credential unless given.'),
  package_id: z
    .string()
    .min(1)
    .optional()
    .describe('Chosen by the server unless given; give it to retry safely.'),
  session_id: z.string().optional().describe('The session this belongs to.'),
});

export type PackageDraft = z.output<typeof packageDraftSchema>;

const envelopeFlag = z
  .boolean()
  .optional()
  .describe('Answer each package in an envelope with its hashes and reviews.');

export const packageListQuery = z.object({
  mode: z
    .enum(['latest', 'relevant', 'specific'])
    .optional()
    .describe('`latest` (the default) newest first, `relevant` by a query, `specific` by id.'),
  query: z.string().max(2000).optional().describe('For `relevant`: what to look for.'),
  package_id: z.string().optional().describe('For `specific`.'),
  limit: limitSchema,
  cursor: z.string().optional().describe('From the `Link` header of the page before.'),
  status: z.enum(packageStatuses).optional(),
  package_type: z.string().optional(),
  author: z.string().optional().describe('Only of this actor.'),
  session_id: z.string().optional(),
  callsign: z.string().optional().describe('Only of sessions with this callsign, such as coral-heron.'),
  since: momentSchema.optional().describe('Created at or after.'),
  until: momentSchema.optional().describe('Created before.'),
  min_significance: significanceSchema,
  envelope: envelopeFlag,
});
export type PackageListQuery = z.output<typeof packageListQuery>;

export const packageQuery = z.object({
  project: z.string().optional().describe('Which project, where several have a package of this id.'),
  envelope: envelopeFlag,
});
