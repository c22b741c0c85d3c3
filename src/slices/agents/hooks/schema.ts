import { z } from 'zod';
import { CLIENT_NAMES } from '../clients/clients.ts';

const folder = z.string().min(1).max(4_096);

const placeSchema = z.object({
  cwd: folder,
  root: folder.describe('The repository: the folder that holds `.baton/project.json`.'),
  home: folder,
  data: folder.describe('Baton’s data folder.'),
  temporary: folder,
  platform: z.string().max(20),
  real: z.record(z.string(), z.string()).optional().describe('Where paths of the message really lead.'),
  scripts: z
    .record(z.string().max(1_000), z.object({ text: z.string(), changed_at: z.number() }))
    .optional()
    .describe('Scripts that a command line names, and when they were changed, in milliseconds since 1970.'),
});

const gitSchema = z.object({
  head: z.string().max(64).optional(),
  branch: z.string().max(250).optional(),
  changed: z
    .array(
      z.object({
        path: z.string().max(4_096),
        added: z.number().int().nullish(),
        removed: z.number().int().nullish(),
        at: z.number().int().nullish().describe('When it was last written, in milliseconds since 1970.'),
      }),
    )
    .max(500)
    .optional(),
  commits: z
    .array(
      z.object({
        id: z.string().regex(/^[0-9a-f]{40,64}$/),
        at: z.number().int().describe('Seconds since 1970.'),
        title: z.string().max(500),
      }),
    )
    .max(100)
    .optional(),
});

const MOST_WAIT_SECONDS = 600;

export const hookBody = z.object({
  message: z.looseObject({}).describe('What the client wrote to the hook, as it is.'),
  place: placeSchema,
  headless: z.boolean().optional().describe('Nobody can answer in the client.'),
  prompts: z.boolean().optional().describe('False: no word of a prompt is kept.'),
  wait_seconds: z
    .number()
    .min(0)
    .max(MOST_WAIT_SECONDS)
    .optional()
    .describe('How long to wait for a person.'),
  git: gitSchema.optional(),
  calls: z
    .array(
      z.object({
        id: z.string().min(1).max(300),
        tool: z.string().max(200),
        input: z.looseObject({}),
        ok: z.boolean(),
        text: z.string(),
      }),
    )
    .max(50)
    .optional()
    .describe('Calls that ended since the last prompt, as the client’s transcript has them.'),
  compaction: z
    .string()
    .max(100)
    .optional()
    .describe('Names the last time the conversation was shortened, where the client has no event for it.'),
  atlas: z
    .object({ id: z.string().max(200) })
    .optional()
    .describe('The Atlas that the repository’s rules are.'),
});
export type HookBody = z.output<typeof hookBody>;

export const hookAnswerSchema = z.object({
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  exit_code: z.number().int(),
});

export const clientPath = z.object({ client: z.enum(CLIENT_NAMES) });
