import { z } from 'zod';

export const oauthGrantSchema = z.object({
  grant_id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  actor_id: z.string().describe('The agent that the client is.'),
  project: z.string(),
  scopes: z.array(z.string()),
  granted_by: z.string(),
  granted_at: z.string(),
  revoked_at: z.string().nullable(),
});

export const oauthGrantListSchema = z.object({ grants: z.array(oauthGrantSchema) });
