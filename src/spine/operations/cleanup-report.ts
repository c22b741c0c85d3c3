import { z } from 'zod';

/** What has gone bad in a slice's things, and what would mend it: one form, so that one command shows all of them. */
export const cleanupReport = z.object({
  looked_at: z.int().describe('How many things were looked at.'),
  more: z.boolean().describe('Whether there are older ones that were not.'),
  findings: z.array(
    z.object({
      kind: z.string().describe('`exact_duplicate`, `near_duplicate`, `contradiction`, `secret`, …'),
      things: z
        .array(
          z.object({
            kind: z.enum(['memory', 'package', 'fact']),
            id: z.string(),
            text: z.string().describe('Its beginning; empty where it holds a secret.'),
          }),
        )
        .describe('What it is about; what the proposal would change comes first.'),
      why: z.string(),
      proposal: z
        .object({ operation: z.string(), input: z.record(z.string(), z.unknown()) })
        .nullable()
        .describe('An operation that would mend it, with its input; null where only a person can.'),
    }),
  ),
});
export type CleanupReport = z.output<typeof cleanupReport>;
