import { z } from 'zod';
import { ACTOR_ID_RULE, isActorId } from '../../../kernel/actor-id.ts';
import { atlasIdSchema, boundedText, openObject } from '../schema.ts';

export const sessionStartSchema = z.strictObject({
  agent_id: boundedText(1, 255).refine(isActorId, ACTOR_ID_RULE),
  goal: boundedText(1, 10_000),
  atlas_id: atlasIdSchema.optional(),
  metadata: openObject.optional(),
  session_id: z.guid().optional(),
  parent_session_id: z.guid().nullable().optional(),
});

export const sessionSchema = z.object({
  session_id: z.string(),
  agent_id: z.string().nullable(),
  goal: z.string().nullable(),
  status: z.enum(['active', 'ended']),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  end_reason: z.string().nullable(),
  atlas_id: z.string().nullable(),
  parent_session_id: z.string().nullable(),
  metadata: openObject.nullable(),
  trace_id: z.string(),
  callsign: z.string().nullable(),
  project_id: z.string(),
  actor: z.object({ id: z.string(), type: z.enum(['human', 'agent', 'script']) }),
  description: z.string().nullable(),
  started_at: z.string(),
});
export type SessionView = z.infer<typeof sessionSchema>;

export const sessionPath = z.object({ session_id: z.string() });

export const sessionFilterSchema = z.object({
  status: z.enum(['active', 'ended', 'all']).optional(),
  limit: z.int().min(1).max(100).optional(),
  offset: z.int().min(0).optional(),
});
