import { z } from 'zod';
import { riskTierSchema } from '../../schema/text.ts';
import type { InlineBlock } from './atlas.ts';

export interface Relaxed {
  readonly manifest: unknown;
  readonly blocks: readonly InlineBlock[];
  readonly warnings: readonly string[];
}

/** Members that other runtimes add; they carry no rule that we enforce. */
const IGNORED = ['steward', 'checkpoints', 'sources', 'context_sources', 'plugin'];

const blockSchema = z.looseObject({
  context_id: z.string(),
  priority: z.number().optional(),
  content: z.string(),
  content_type: z.string().optional(),
  inject_mode: z.enum(['always', 'on_match', 'on_demand', 'risk_based']).optional(),
  keywords: z.array(z.string()).optional(),
  risk_tiers: z.array(riskTierSchema).optional(),
  also_inject: z.array(z.string()).optional(),
});

/** Turns the spellings that are in use elsewhere into the ones of the schema, and says so. */
export function relaxManifest(value: unknown): Relaxed {
  if (!isRecord(value)) return { manifest: value, blocks: [], warnings: [] };
  const warnings: string[] = [];
  const manifest: Record<string, unknown> = { ...value };
  for (const key of IGNORED) {
    if (!(key in manifest)) continue;
    delete manifest[key];
    warnings.push(`${key} is no part of Atlas/1.0 and is ignored`);
  }
  const blocks = takeBlocks(manifest, warnings);
  if (Array.isArray(manifest.policies)) {
    manifest.policies = manifest.policies.map((policy) => relaxPolicy(policy, warnings));
  }
  return { manifest, blocks, warnings };
}

function relaxPolicy(value: unknown, warnings: string[]): unknown {
  if (!isRecord(value)) return value;
  const policy: Record<string, unknown> = { ...value };
  const name = String(policy.policy_id);
  if (policy.type === 'requires_approval') {
    policy.type = 'require_approval';
    warnings.push(`policy ${name}: requires_approval is read as require_approval`);
  }
  if (isRecord(policy.actions) && Object.keys(policy.actions).length === 0) {
    delete policy.actions;
    warnings.push(`policy ${name}: empty actions are read as all actions`);
  }
  if (typeof policy.reason === 'string') {
    const parameters = isRecord(policy.parameters) ? policy.parameters : {};
    policy.parameters = { reason: policy.reason, ...parameters };
    delete policy.reason;
    warnings.push(`policy ${name}: reason is read as parameters.reason`);
  }
  return policy;
}

function takeBlocks(manifest: Record<string, unknown>, warnings: string[]): InlineBlock[] {
  if (!Array.isArray(manifest.context_blocks)) return [];
  const parsed = z.array(blockSchema).safeParse(manifest.context_blocks);
  // Left in place, the strict schema then names the member.
  if (!parsed.success) return [];
  delete manifest.context_blocks;
  warnings.push('context_blocks is no part of Atlas/1.0 and is read as an extension');
  return parsed.data.map((block) => ({
    contextId: block.context_id,
    priority: Math.min(1000, Math.max(0, Math.round(block.priority ?? 0))),
    content: block.content,
    contentType: block.content_type ?? 'text/markdown',
    mode: block.inject_mode ?? 'on_match',
    keywords: block.keywords ?? [],
    riskTiers: block.risk_tiers ?? [],
    alsoInject: block.also_inject ?? [],
  }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
