import { z } from 'zod';
import { policySchema } from '../atlases/schema.ts';
import { atlasIdSchema, riskTierSchema } from '../schema.ts';

const processSchema = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
});

const addressSchema = z.strictObject({
  /** `sse` is the transport of 2024, which streamable HTTP replaced. */
  type: z.enum(['http', 'sse']).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
});

const serverSchema = z.union([processSchema, addressSchema]);
export type UpstreamConfig = z.infer<typeof serverSchema>;

/** The file of `baton gateway --config FILE`. */
export const gatewayConfigSchema = z.strictObject({
  /** Tells the gateways of a project apart: each has an Atlas of its own. */
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}$/, 'Must be lower-case letters, digits and hyphens')
    .optional(),
  /** Whose calls these are: the credential's own actor unless given, or one that it speaks for. */
  agent_id: z.string().min(1).max(255).optional(),
  goal: z.string().min(1).max(10_000),
  atlas_id: atlasIdSchema.optional(),
  servers: z.record(
    z.string().regex(/^[a-z][a-z0-9]*$/, 'Must be lower-case letters and digits'),
    serverSchema,
  ),
  /** For the actions of all servers; what no policy allows is denied. */
  policies: z.array(policySchema),
  /** Risk tiers by glob on action ids; the first match counts, `low` otherwise. */
  risk_tiers: z.record(z.string(), riskTierSchema).optional(),
  /** How long a call that needs a person is held before the agent is told to go on elsewhere. */
  approval_wait_seconds: z.number().min(0).max(3600).optional(),
  /** How long a tool may run. */
  call_seconds: z.int().min(1).max(86_400).optional(),
  /** How long a client waits for the servers at its start; those that need longer come later. */
  start_seconds: z.number().min(0).max(300).optional(),
  /** Over HTTP: how many clients at once, since each has servers of its own. */
  max_clients: z.int().min(1).max(1000).optional(),
  /** Over HTTP: after how long without a request a client is forgotten. */
  idle_seconds: z.int().min(1).optional(),
});
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;

const ATLAS_OF_GATEWAYS = 'dev.baton.gateway';

/** The name of a gateway, or else its agent: two agents never share an Atlas by accident. */
export function atlasIdOf(config: GatewayConfig, agentId: string): string {
  if (config.atlas_id !== undefined) return config.atlas_id;
  return `${ATLAS_OF_GATEWAYS}.${config.name ?? slug(config.agent_id ?? agentId)}`;
}

function slug(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(plain) ? plain : `a-${plain}`;
}
