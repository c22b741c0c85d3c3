import { z } from 'zod';
import { policySchema } from '../atlases/schema.ts';
import { riskTierSchema } from '../schema.ts';

const serverSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
]);
export type UpstreamConfig = z.infer<typeof serverSchema>;

/** The file of `baton gateway --config FILE`. */
export const gatewayConfigSchema = z.strictObject({
  agent_id: z.string().min(1).max(255),
  goal: z.string().min(1).max(10_000),
  atlas_id: z.string().optional(),
  servers: z.record(
    z.string().regex(/^[a-z][a-z0-9]*$/, 'Must be lower-case letters and digits'),
    serverSchema,
  ),
  /** For the actions of all servers; what no policy allows is denied. */
  policies: z.array(policySchema),
  /** Risk tiers by glob on action ids; the first match counts, `low` otherwise. */
  risk_tiers: z.record(z.string(), riskTierSchema).optional(),
  /** Where the pins of tools are kept. */
  pins_file: z.string().optional(),
});
export type GatewayConfig = z.infer<typeof gatewayConfigSchema>;

export const DEFAULT_ATLAS_ID = 'dev.baton.gateway';
