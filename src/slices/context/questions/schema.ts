import { z } from 'zod';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { ownSession } from '../schema.ts';

const LONGEST_WAIT_SECONDS = 50;
const MOST_OPTIONS = 10;

const wait = z
  .number()
  .min(0)
  .max(LONGEST_WAIT_SECONDS)
  .optional()
  .describe('How many seconds to wait for the answer.');

export const newQuestionSchema = z.strictObject({
  question: z.string().min(1).max(2000).describe('What you need to know, so that it can be answered alone.'),
  details: z.string().max(20_000).optional().describe('What they need to know to answer.'),
  options: z
    .array(z.string().min(1).max(300))
    .max(MOST_OPTIONS)
    .optional()
    .describe('Answers to choose from; their own words are always possible.'),
  project: ownProject,
  session_id: ownSession,
});
export type NewQuestion = z.output<typeof newQuestionSchema>;

export const answerQuery = z.object({ wait, project: ownProject });

export const questionSchema = z.object({
  question_id: z.string(),
  item_id: z.string().describe('Its item in the inbox.'),
  question: z.string(),
  state: z.enum(['waiting', 'answered', 'declined', 'withdrawn']),
  answer: z.string().nullable(),
  answered_by: z.string().nullable(),
  answered_at: z.string().nullable(),
  words: z.string().describe('The state as a sentence, with what to do next.'),
});
export type QuestionView = z.output<typeof questionSchema>;
