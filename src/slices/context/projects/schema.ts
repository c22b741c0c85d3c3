import { z } from 'zod';
import type { Project } from '../../../spine/identity/projects/project.ts';
import type { Session } from '../../../spine/identity/sessions/session.ts';

const settingsSchema = z
  .looseObject({ require_signature: z.enum(['off', 'warn', 'enforce']).optional() })
  .describe(
    '`secrets: "block"` refuses deposits that contain one; `self_review: "allow"` lets authors review their own work; `require_signature: "enforce"` refuses packages that their author has not signed, "warn" only warns.',
  );

export const projectSchema = z.looseObject({
  project_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  created_at: z.string(),
  archived_at: z.string().nullable(),
  settings: settingsSchema,
});

export const newProjectSchema = z.looseObject({
  project_id: z.string().min(1).max(200),
  name: z.string().min(1).max(200).optional(),
  description: z.string().max(10_000).nullish(),
  settings: settingsSchema.optional(),
});

export const projectChangesSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  description: z.string().max(10_000).nullish(),
  settings: settingsSchema.optional().describe('Replaces all settings.'),
});

export const sessionSchema = z.looseObject({
  session_id: z.string(),
  project_id: z.string(),
  actor_id: z.string(),
  actor_type: z.enum(['human', 'agent', 'script']),
  callsign: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  packages_deposited: z.array(z.string()),
});

export const newSessionSchema = z.strictObject({
  session_id: z.string().optional().describe('A UUID of your own. The server chooses one by default.'),
  description: z.string().max(2000).optional(),
});

export const startedSessionSchema = sessionSchema.extend({
  announce: z.string().describe('What to tell the person you work for.'),
});

export const endSessionSchema = z
  .looseObject({ reason: z.enum(['completed', 'timeout', 'error', 'cancelled']).optional() })
  .optional();

export const projectListQuery = z.object({
  archived: z.boolean().optional().describe('Include archived ones.'),
  limit: z.number().int().min(1).max(200).optional(),
  after: z.string().optional().describe('The id of the last project on the previous page.'),
});

export const sessionListQuery = z.object({
  callsign: z.string().optional(),
  status: z.enum(['active', 'ended']).optional(),
  limit: z.number().int().min(1).max(200).optional(),
  offset: z.number().int().min(0).optional(),
});

/** The Project object: what we know, its settings, and any members we do not know. */
export function projectBody(project: Project): z.output<typeof projectSchema> {
  return {
    project_id: project.projectId,
    name: project.name,
    description: project.description,
    created_at: project.createdAt,
    archived_at: project.archivedAt,
    settings: JSON.parse(project.settings),
    ...JSON.parse(project.extra),
  };
}

export function sessionBody(session: Session, packages: readonly string[]): z.output<typeof sessionSchema> {
  return {
    session_id: session.sessionId,
    project_id: session.projectId,
    actor_id: session.actor.id,
    actor_type: session.actor.type,
    callsign: session.callsign,
    started_at: session.createdAt,
    ended_at: session.endedAt,
    packages_deposited: [...packages],
  };
}
