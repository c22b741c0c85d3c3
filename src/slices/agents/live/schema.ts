import { z } from 'zod';

const liveSessionSchema = z.object({
  session_id: z.string(),
  parent_session_id: z.string().nullable(),
  callsign: z.string().nullable(),
  agent_id: z.string(),
  client: z.string(),
  repository: z.string().describe('The folder in which it works.'),
  started_at: z.string(),
  last_seen_at: z.string(),
  files: z.array(z.string()).describe('Files that it wrote, the last one first.'),
});

export const decisionSchema = z.object({
  decision_id: z.string(),
  session_id: z.string(),
  at: z.string(),
  tool: z.string(),
  action_id: z.string(),
  verdict: z.enum(['deny', 'ask']).describe('What the rule says.'),
  effect: z.enum(['allow', 'deny', 'ask']).describe('What held: `allow` where the Atlas only logs.'),
  policy_id: z.string(),
  atlas_id: z.string(),
  atlas_version: z.string(),
  reason: z.string(),
  what: z.string().describe('What was to be done, in one line.'),
  asked_in: z
    .enum(['client', 'inbox'])
    .nullable()
    .describe('Where a person was asked. An answer in the client does not prove who gave it.'),
  ran: z.boolean().nullable().describe('True if the client reported afterwards that it ran.'),
});

const count = z.number().int();

export const statusSchema = z.object({
  sessions: z.array(liveSessionSchema).describe('Live now: heard of within half an hour and not ended.'),
  waiting: count.describe('Open inbox items of the project.'),
  today: z
    .object({
      denied: count,
      asked: count,
      would_deny: count.describe('By an Atlas that only logs.'),
      would_ask: count,
    })
    .describe('Decisions of the last 24 hours.'),
  denied: z.array(decisionSchema).describe('The last ones that were denied in these 24 hours.'),
});

export const decisionsQuery = z.object({
  since: z.string().optional().describe('RFC 3339; defaults to 30 days ago.'),
  verdict: z.enum(['deny', 'ask']).optional(),
  enforced: z.boolean().optional().describe('True: only what held. False: only what was logged.'),
  limit: z.number().int().min(1).max(1000).optional().describe('Defaults to 100.'),
});

const series = z.array(count).describe('A number for each interval.');

export const activityQuery = z.object({
  by: z.enum(['session', 'actor']).optional().describe('`session` by default.'),
  hours: z.number().min(0.1).max(720).optional().describe('How far back from now; defaults to 3.'),
  intervals: z
    .number()
    .int()
    .min(1)
    .max(200)
    .optional()
    .describe('Into how many it is divided; 36 unless given.'),
  limit: z.number().int().min(1).max(100).optional().describe('Defaults to 50.'),
});

export const activitySchema = z.object({
  from: z.string(),
  to: z.string(),
  interval_seconds: z.number(),
  items: z
    .array(
      z.object({
        session_id: z.string().nullable().describe('Null when counted by actor.'),
        actor_id: z.string(),
        actor_type: z.enum(['human', 'agent', 'script']),
        callsign: z.string().nullable(),
        goal: z.string().nullable(),
        active: z.boolean().describe('The session has not ended; always true when counted by actor.'),
        last_at: z.string(),
        total: count,
        events: series,
        allowed: series,
        asked: series,
        denied: series,
        packages: series,
      }),
    )
    .describe('Whoever was heard of last first.'),
  more: z.boolean().describe('There are more than `limit`.'),
  complete: z.boolean().describe('False when the time has more events than are counted; the newest are.'),
});
