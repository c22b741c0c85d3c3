import { z } from 'zod';

export const newInvitationSchema = z.strictObject({
  actor_id: z.string().min(1).max(255).describe('The name that the person will have in the journal.'),
  display_name: z.string().min(1).max(200).optional().describe('How the person is shown.'),
  role: z
    .enum(['human', 'reader'])
    .optional()
    .describe('`human` works and decides (the default); `reader` only looks.'),
  projects: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('The projects they may see; the caller’s default project unless given.'),
  hours: z
    .number()
    .int()
    .min(1)
    .max(720)
    .optional()
    .describe('How long the link is good for; 72 by default.'),
});

export const invitationSchema = z.object({
  invitation_id: z.string(),
  actor_id: z.string(),
  display_name: z.string(),
  scopes: z.array(z.string()),
  projects: z.array(z.string()),
  invited_by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
});

export const createdInvitationSchema = invitationSchema.extend({
  invitation: z.string().describe('The secret of the link, shown only this once.'),
  path: z.string().describe('Append it to the address at which people reach the server. Works once.'),
});

export const invitationListSchema = z.object({ invitations: z.array(invitationSchema) });
export const invitationPath = z.object({ invitation_id: z.string() });

export const lookSchema = z.strictObject({ invitation: z.string().max(200) });

export const offeredSchema = z.object({
  actor_id: z.string(),
  display_name: z.string(),
  scopes: z.array(z.string()),
  projects: z.array(z.string()),
  invited_by: z.string(),
  expires_at: z.string(),
});

export const acceptSchema = z.strictObject({
  invitation: z.string().max(200),
  passphrase: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Proves presence from now on. Without one, add a passkey in the session that this opens.'),
});

export const acceptedSchema = z.object({
  csrf_token: z.string().describe('As opening the dashboard gives it.'),
  expires_at: z.string(),
  token: z.string().describe('The person’s own key to sign in with later, shown only this once.'),
});
