/** The Atlas/1.0 manifest: closed objects, nothing defaulted. */
import { z } from 'zod';
import {
  actionIdSchema,
  atlasIdSchema,
  boundedText,
  CAPABILITY_ID,
  openObject,
  publishedAs,
  riskTierSchema,
  SEMVER,
  TIME_OF_DAY,
} from '../schema.ts';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const POLICY_TYPES = ['allow', 'deny', 'rate_limit', 'require_approval', 'budget', 'scope'] as const;

const timeOfDay = z.string().regex(TIME_OF_DAY, 'Must be a time of day, as 22:00:00');

const uri = z.url().register(publishedAs, { format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' });

export const timeWindowSchema = z.looseObject({
  start: timeOfDay.optional(),
  end: timeOfDay.optional(),
  timezone: z.string().optional(),
  days: z.array(z.enum(DAYS)).optional(),
});
export type TimeWindow = z.infer<typeof timeWindowSchema>;

export const conditionsSchema = z.strictObject({
  risk_tiers: z.array(riskTierSchema).optional(),
  agents: z.array(z.string()).optional(),
  capabilities: z.array(z.string()).optional(),
  context_matches: z.record(z.string(), z.string()).optional(),
  time_window: timeWindowSchema.optional(),
});
export type Conditions = z.infer<typeof conditionsSchema>;

const capabilitySchema = z.strictObject({
  capability_id: z.string().regex(CAPABILITY_ID, 'Must be dot-separated lower-case words'),
  name: z.string(),
  description: z.string().optional(),
  actions: z.array(z.string()).optional(),
  context_packs: z.array(z.string()).optional(),
});

const contextPackSchema = z.strictObject({
  pack_id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  files: z.array(z.string()),
  priority: z.int().min(0).max(1000).optional(),
  conditions: conditionsSchema.optional(),
  max_tokens: z.int().min(0).optional(),
});
export type ContextPack = z.infer<typeof contextPackSchema>;

export const policySchema = z.strictObject({
  policy_id: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  type: z.enum(POLICY_TYPES),
  priority: z.int().optional(),
  conditions: conditionsSchema.optional(),
  actions: z.array(z.string()).optional(),
  parameters: openObject.optional(),
});
export type Policy = z.infer<typeof policySchema>;
export type PolicyType = Policy['type'];

const actionRateLimitSchema = z.looseObject({
  max_calls: z.int().min(1).optional(),
  window_seconds: z.int().min(1).optional(),
});

const actionSchema = z.strictObject({
  action_id: actionIdSchema,
  name: z.string(),
  description: z.string(),
  parameters_schema: openObject.optional(),
  returns_schema: openObject.optional(),
  risk_tier: riskTierSchema.optional(),
  idempotent: z.boolean().optional(),
  requires_confirmation: z.boolean().optional(),
  executor: z.string().optional(),
  timeout_seconds: z.int().min(1).max(300).optional(),
  rate_limit: actionRateLimitSchema.optional(),
  examples: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        parameters: openObject.optional(),
        expected_result: openObject.optional(),
      }),
    )
    .optional(),
});
export type Action = z.infer<typeof actionSchema>;

const adapterSchema = z.looseObject({ enabled: z.boolean().optional(), settings: openObject.optional() });

export const atlasManifestSchema = z.strictObject({
  atlas_version: z.literal('1.0'),
  atlas_id: atlasIdSchema,
  version: z.string().regex(SEMVER, 'Must be a semantic version, as 1.0.0'),
  name: boundedText(1, 100),
  description: boundedText(0, 1000),
  authors: z.array(z.string()).optional(),
  license: z.string().optional(),
  homepage: uri.optional(),
  repository: uri.optional(),
  domains: z.array(z.string()).optional(),
  capabilities: z.array(capabilitySchema).optional(),
  context_packs: z.array(contextPackSchema).optional(),
  policies: z.array(policySchema).optional(),
  actions: z.array(actionSchema).optional(),
  adapters: z.record(z.string(), adapterSchema).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  metadata: openObject.optional(),
});
export type AtlasManifest = z.infer<typeof atlasManifestSchema>;

export const atlasSummarySchema = z.object({
  atlas_id: z.string(),
  version: z.string(),
  name: z.string(),
  description: z.string(),
  domains: z.array(z.string()),
  action_count: z.int(),
  policy_count: z.int(),
  digest: z.string(),
  mode: z.enum(['enforce', 'log_only']),
  /** Its rules apply to every request of the project. */
  guardrail: z.boolean(),
  loaded_at: z.string(),
  warnings: z.array(z.string()).optional(),
});
export type AtlasSummary = z.infer<typeof atlasSummarySchema>;

/** The handler reads the body itself, so that an error has CRA's own code and the pointer of the member. */
export const manifestBody = z.looseObject({}).meta({
  title: 'Atlas manifest',
  description: 'See /v1/schemas/atlas-manifest.',
}) as unknown as z.ZodType<AtlasManifest>;
