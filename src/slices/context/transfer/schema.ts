/** Lines of an export beside packages and facts. */
import { z } from 'zod';
import { actorTypes, instantSchema, packageStatuses, reviewTypes } from '../schema.ts';

export const projectLine = z.looseObject({
  project_id: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  description: z.string().nullish(),
  settings: z.looseObject({}).optional(),
  created_at: instantSchema.optional(),
  archived_at: instantSchema.nullish(),
});

export const sessionLine = z.looseObject({
  session_id: z.string().min(1),
  project_id: z.string(),
  actor_id: z.string().min(1),
  actor_type: z.enum(actorTypes),
  callsign: z.string().nullish(),
  started_at: instantSchema,
  ended_at: instantSchema.nullish(),
});
export type SessionLine = z.output<typeof sessionLine>;

export const tombstoneLine = z.looseObject({
  project_id: z.string(),
  package_id: z.string().min(1),
  content_hash: z.string(),
  body_hash: z.string(),
  deposit_hash: z.string(),
  status: z.enum(packageStatuses),
  review_type: z.enum(reviewTypes),
  package_type: z.string(),
  created_at: instantSchema,
  created_by: z.object({ id: z.string(), type: z.enum(actorTypes) }),
  parents: z.array(z.string()).optional(),
  blobs: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)).optional(),
});
export type TombstoneLine = z.output<typeof tombstoneLine>;

export const blobLine = z.looseObject({
  project_id: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  media_type: z.string(),
  bytes_base64: z.string(),
});
