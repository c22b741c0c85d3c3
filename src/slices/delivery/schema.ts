import { z } from 'zod';

/** What the server answers about runs. Documents of the protocol are passed through as the repository has them. */

const protocolDocument = z.looseObject({});

export const repositorySchema = z.object({
  id: z.string(),
  project_id: z.string(),
  root: z.string().describe('The directory on the server’s machine.'),
  attached_at: z.string(),
  attached_by: z.object({ id: z.string(), type: z.enum(['human', 'agent', 'script']) }),
  events_seen: z.number().int().describe('Rows of its event log that this server has recorded.'),
});

export const repositoryListSchema = z.object({ repositories: z.array(repositorySchema) });

export const repositoryQuery = z.object({
  root: z.string().optional().describe('Only the repository at this directory on the server’s machine.'),
});

export const attachSchema = z.object({
  path: z.string().min(1).describe('A directory with an agentxchain.json, on the server’s machine.'),
});

export const runStatusSchema = z.object({
  repository_id: z.string(),
  project_id: z.string(),
  run_id: z.string().nullable(),
  status: z.enum(['idle', 'active', 'paused', 'blocked', 'completed', 'failed']),
  phase: z.string(),
  phases: z.array(z.string()),
  blocked_on: z.string().nullable(),
  accepted_turns: z.number().int(),
  active_turns: z.array(protocolDocument),
  gate: z
    .object({
      name: z.string(),
      passes_now: z.boolean(),
      requires_human_approval: z.boolean(),
      reasons: z.array(z.string()),
    })
    .nullable(),
  next_role: z.string().nullable(),
  next: z.string().describe('The command to run next.'),
});

export const recordQuery = z.object({
  run: z.string().optional().describe('Only this run; every run of the repository by default.'),
  limit: z.number().int().min(1).max(1000).optional().describe('At most this many rows: the latest ones.'),
  skip: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Leave out this many of the latest rows: those you have.'),
});

export const recordListSchema = z.object({
  rows: z.array(protocolDocument).describe('Oldest first.'),
  total: z.int().describe('On all pages together.'),
});

export const gateQuery = z.object({
  gate: z.string().max(128).optional().describe('Which gate; the one of the current phase by default.'),
  since: z
    .enum(['phase', 'run'])
    .optional()
    .describe('From where on changes are shown: the beginning of the phase (by default) or of the run.'),
});

export const gateViewSchema = z.object({
  gate: z
    .object({
      name: z.string(),
      phase: z.string(),
      status: z.string(),
      passes_now: z.boolean(),
      requires_human_approval: z.boolean(),
      reasons: z.array(z.string()),
      standing: z.string().nullable().describe('What to know where no credential stands behind a decision.'),
    })
    .nullable()
    .describe('Null where the phase has none.'),
  documents: z
    .array(
      z.object({
        path: z.string(),
        text: z.string().nullable().describe('Null where there is none.'),
        truncated: z.boolean(),
        turn_id: z.string().nullable().describe('The turn of this run that wrote it last.'),
      }),
    )
    .describe('What the gate reads, as it is now.'),
  changes: z.object({
    from: z.string().nullable().describe('The commit before the turns.'),
    to: z.string().nullable().describe('Their last commit; null where their files are not committed.'),
    files: z.array(
      z.object({
        path: z.string(),
        added: z.int().nullable().describe('Lines; null for a binary file.'),
        deleted: z.int().nullable(),
      }),
    ),
    patch: z.string().describe('A unified diff, at most 400,000 characters of it.'),
    truncated: z.boolean(),
  }),
});

export const syncSchema = z.object({ recorded: z.number().int().describe('Events that were new.') });

export const comparisonSchema = z.object({
  recorded: z.number().int().describe('Events on record.'),
  by_id_only: z
    .number()
    .int()
    .describe(
      'Of these, how many were recorded before their content was: only that they are there is compared.',
    ),
  faults: z.array(z.string()).describe('Where the files differ from the record; none if they agree.'),
});

const runId = z.string().regex(/^run_[0-9a-z]{1,64}$/);

export const gateQuestionSchema = z.object({
  run_id: runId,
  gate: z.string().min(1).max(128),
  goal: z.string().min(1).max(10_000).describe('What the gate wants to do, as policy names it.'),
});

export const gateAnswerSchema = z.object({
  allowed: z.boolean(),
  waiting: z.boolean().describe('A person has been asked to approve it, in the inbox.'),
  reason: z.string(),
});

export const peerQuestionSchema = z.object({
  run_id: runId,
  role: z
    .string()
    .regex(/^[a-z0-9_-]{1,64}$/)
    .describe('Whose turn it is; the peer hears from `role:<role>`.'),
  peer: z.string().min(1).max(64),
  text: z.string().min(1).max(1_000_000),
});

export const peerAnswerSchema = z.object({
  text: z.string(),
  state: z.string().nullable().describe('Of the peer’s task; null when it answered with a message.'),
  trace_id: z.string(),
});

export const adapterResultSchema = z.object({
  status: z.enum(['pass', 'fail', 'error', 'not_implemented']),
  message: z.string(),
  actual: z.unknown(),
});
