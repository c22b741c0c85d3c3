import { z } from 'zod';
import { packageSchema, packageStatuses, packageTypes, reviewTypes } from '../schema.ts';

const { shape } = packageSchema;

/** A package of which the server fills in what only has one sensible value. */
export const draftedPackageSchema = z.looseObject({
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

export type DraftedPackage = z.output<typeof draftedPackageSchema>;
