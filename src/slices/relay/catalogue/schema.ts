import { z } from 'zod';
import { peerSchema } from '../peers/schema.ts';

const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
});

export const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string().nullable(),
  provider: z.string().nullable(),
  skills: z.array(skillSchema),
  interfaces: z.array(z.object({ binding: z.string(), version: z.string() })),
  role: peerSchema.shape.role,
  governed: z.boolean(),
  health: peerSchema.shape.health,
  card: z
    .object({
      number: z.int(),
      digest: z.string(),
      seen_at: z.string(),
      waiting: z.string().nullable().describe('The inbox item that asks about a newer card.'),
    })
    .nullable()
    .describe('The card in force; null where none was seen yet.'),
});
export type AgentView = z.infer<typeof agentSchema>;

const changeSchema = z.object({
  path: z.string().describe('A JSON pointer; skills and interfaces are named by their ids.'),
  was: z.unknown().optional(),
  now: z.unknown().optional(),
});

export const cardVersionSchema = z.object({
  number: z.int(),
  state: z.enum(['accepted', 'waiting', 'refused', 'superseded']),
  in_force: z.boolean(),
  digest: z.string(),
  seen_at: z.string(),
  item_id: z.string().nullable(),
  changes: z.array(changeSchema).describe('Against the accepted card before it.'),
  complete: z.boolean().describe('False when there are more changes than are listed.'),
});
export type CardVersionView = z.infer<typeof cardVersionSchema>;

export const discoverySchema = z.object({
  url: z.string(),
  suggested_id: z.string(),
  agent: agentSchema.pick({
    name: true,
    description: true,
    version: true,
    provider: true,
    skills: true,
    interfaces: true,
  }),
  registered_as: z.array(z.string()).describe('Peers with this address.'),
});
