import { z } from 'zod';
import { parseInstant } from '../../../kernel/instant.ts';
import { MOST_ENTRIES, MOST_TEXT } from './bounds.ts';

const instant = z
  .string()
  .refine((text) => parseInstant(text)?.utc === true, 'must be an RFC 3339 timestamp in UTC');
const words = z.string().max(MOST_TEXT);

export const transcriptBody = z.object({
  client: z
    .string()
    .min(1)
    .max(40)
    .regex(/^[a-z][a-z0-9-]*$/),
  session: z.string().min(1).max(300).describe('The client’s own id of the conversation.'),
  title: z.string().max(200).optional().describe('What to call it, if not by its first prompt.'),
  entries: z
    .array(
      z.object({
        kind: z.enum(['prompt', 'command', 'file', 'tool', 'message']),
        at: instant,
        text: words,
        ok: z.boolean().optional(),
        detail: words.optional(),
      }),
    )
    .min(1)
    .max(MOST_ENTRIES),
});
export type TranscriptBody = z.output<typeof transcriptBody>;

export const takenSchema = z.object({
  package_id: z.string(),
  state: z
    .enum(['new', 'longer', 'unchanged'])
    .describe('`longer`: it takes the place of what was imported before.'),
});
