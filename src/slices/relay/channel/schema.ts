import { z } from 'zod';

export const channelSchema = z.object({
  id: z.string(),
  title: z.string(),
  created_by: z.string(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
  last_seq: z.int(),
  state_seq: z.int(),
});
export type Channel = z.infer<typeof channelSchema>;

export const channelEventSchema = z.object({
  channel_id: z.string(),
  seq: z.int(),
  kind: z.string(),
  author: z.string(),
  posted_by: z.string(),
  payload: z.record(z.string(), z.unknown()),
  created_at: z.string(),
});
export type ChannelEvent = z.infer<typeof channelEventSchema>;

export const channelViewSchema = z.object({
  channel: channelSchema,
  onboarding: z.string(),
  participate: z.array(z.string()),
  spec: channelEventSchema.nullable(),
  state: channelEventSchema.nullable(),
  agents: z.array(z.object({ agent: z.string(), last_status_at: z.string(), alive: z.boolean() })),
  recent_events: z.array(channelEventSchema),
});
export type ChannelView = z.infer<typeof channelViewSchema>;

export const leaseSchema = z.object({
  name: z.string(),
  holder: z.string(),
  fencing_token: z.int(),
  expires_at: z.string(),
});

export const receiptSchema = z.object({
  agent: z.string(),
  delivered_seq: z.int(),
  read_seq: z.int(),
  updated_at: z.string(),
});
