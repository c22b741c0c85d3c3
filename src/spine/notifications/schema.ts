import { z } from 'zod';
import {
  CHANNEL_KINDS,
  CONTENTS,
  MESSAGE_STATES,
  MINUTES_BEFORE,
  NOTICE_KINDS,
  RISKS,
  TIMES,
} from './kinds.ts';

const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
  .describe('`HH:MM`, in the channel’s time zone.');

export const ruleSchema = z.strictObject({
  project: z
    .string()
    .min(1)
    .max(200)
    .describe('A project, or `*` for every one without a rule of its own for this kind.'),
  kind: z.enum(NOTICE_KINDS),
  when: z.enum(TIMES),
  least_risk: z
    .enum(RISKS)
    .optional()
    .describe('Of inbox items: only this risk and higher ones. Where several rules fit, the highest counts.'),
  minutes_before: z
    .union(MINUTES_BEFORE.map((minutes) => z.literal(minutes)))
    .optional()
    .describe('Of `expiring`: how long before; 15 by default.'),
});

const rules = z.array(ruleSchema).max(200);
const quiet = z
  .strictObject({ from: time, to: time })
  .nullable()
  .describe('Nothing is sent between these times; it follows together when they are over.');

const settings = {
  label: z.string().min(1).max(100).optional().describe('What you call it.'),
  rules: rules
    .optional()
    .describe(
      'What is told when; by default inbox items of medium risk and above, what expires, budgets and stopped runs.',
    ),
  content: z
    .enum(CONTENTS)
    .optional()
    .describe(
      'How much a message says: `nothing` but that something waits, its `kind`, risk and project (the default), or its `title` as well.',
    ),
  quiet: quiet.optional(),
  zone: z
    .string()
    .max(100)
    .optional()
    .describe('The IANA time zone, such as `Europe/Berlin`; UTC by default.'),
  digest_at: time.optional().describe('When `daily` is told; 08:00 by default.'),
};

export const newChannelSchema = z.strictObject({
  kind: z.enum(CHANNEL_KINDS),
  address: z
    .string()
    .max(2000)
    .optional()
    .describe(
      'Where to: an e-mail address, the URL of a webhook, of Slack or of ntfy (`https://ntfy.sh/TOPIC`). It is not shown again. None for a browser.',
    ),
  token: z
    .string()
    .max(500)
    .regex(/^[\x21-\x7e]+$/, 'Must be visible ASCII characters')
    .optional()
    .describe('Of ntfy: the access token of the topic.'),
  ...settings,
});

export const channelChangeSchema = z.strictObject({
  ...settings,
  paused: z.boolean().optional().describe('Tell nothing until it is set to false.'),
});

export const channelSchema = z.object({
  channel_id: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  label: z.string(),
  shown: z.string().describe('As much of the address as is shown again.'),
  rules,
  content: z.enum(CONTENTS),
  quiet,
  zone: z.string(),
  digest_at: z.string(),
  paused: z.boolean(),
  created_at: z.string(),
  waiting: z.int().describe('Things that are to be told and have not been.'),
  last_sent_at: z.string().nullable(),
  last_error: z
    .object({ code: z.string(), at: z.string() })
    .nullable()
    .describe('What went wrong last; `outcome_unknown` means that the message may have arrived.'),
});

export const createdChannelSchema = channelSchema.extend({
  secret: z
    .string()
    .optional()
    .describe('Of a webhook: what its signatures are made with (Standard Webhooks). Shown only this once.'),
});

export const mailSchema = z.object({
  host: z.string(),
  port: z.int(),
  security: z.enum(['tls', 'starttls', 'none']),
  from: z.string(),
  user: z.boolean().describe('Whether it signs in.'),
  set_by: z.string(),
  set_at: z.string(),
});

export const channelListSchema = z.object({
  channels: z.array(channelSchema),
  mail: z.boolean().describe('Whether a mail server is set, so that e-mail can be sent.'),
});

export const mailStateSchema = z.object({ mail: mailSchema.nullable() });

export const newMailSchema = z.strictObject({
  host: z.string().min(1).max(255).describe('The mail server.'),
  port: z.int().min(1).max(65_535).optional().describe('465 for `tls`, 587 otherwise.'),
  security: z
    .enum(['tls', 'starttls', 'none'])
    .optional()
    .describe('`starttls` by default, which is required then and never left out.'),
  from: z.string().max(254).describe('The address that messages come from.'),
  user: z.string().min(1).max(200).optional(),
  password: z.string().min(1).max(1000).optional().describe('Sealed, and never shown again.'),
  ca: z
    .string()
    .max(20_000)
    .optional()
    .describe('A certificate authority, in PEM, to trust for it instead of the known ones.'),
});

export const messageSchema = z.object({
  message_id: z.string(),
  channel_id: z.string(),
  state: z.enum(MESSAGE_STATES),
  things: z.int().describe('How many things it tells of; 0 for a test.'),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  error: z.string().nullable(),
});

export const messageListSchema = z.object({ messages: z.array(messageSchema) });
export const messageListQuery = z.object({ limit: z.number().int().min(1).max(200).optional() });

export const claimedSchema = z.object({
  messages: z.array(
    z.object({
      message_id: z.string(),
      subject: z.string(),
      lines: z.array(z.string()),
      link: z.string().describe('A path of the dashboard.'),
    }),
  ),
});

export const channelPath = z.object({ channel_id: z.string() });
export const doneSchema = z.object({ done: z.literal(true) });
