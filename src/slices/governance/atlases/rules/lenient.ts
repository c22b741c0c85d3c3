import { z } from 'zod';
import { globMatcher } from '../../../../kernel/glob.ts';
import { asRecord, asRecords, isRecord, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { riskTierSchema } from '../../schema.ts';
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

/** Turns spellings that are in use elsewhere into those of the schema, with a warning for each. */
export function relaxManifest(value: unknown): Relaxed {
  if (!isRecord(value)) return { manifest: value, blocks: [], warnings: [] };
  const warnings: string[] = [];
  const manifest: Record<string, unknown> = { ...value };
  for (const key of IGNORED) {
    if (!(key in manifest)) continue;
    delete manifest[key];
    warnings.push(`${key} is not part of Atlas/1.0 and is ignored`);
  }
  const blocks = takeBlocks(manifest, warnings);
  changeEach(manifest, 'policies', (policy) => relaxPolicy(policy, warnings));
  respellActionIds(manifest, warnings);
  return { manifest, blocks, warnings };
}

/**
 * Action ids with `_` and `-` are common elsewhere and invalid here (D58), so a dot takes their place, in globs and
 * capabilities too. An Atlas whose globs would then match more than before stays as it is, and is refused.
 */
function respellActionIds(manifest: Record<string, unknown>, warnings: string[]): void {
  const ids = membersOf(manifest.actions, 'action_id').filter((id) => typeof id === 'string');
  const globs = membersOf(manifest.policies, 'actions').flat();
  const foreign = ids.filter((id) => respelled(id) !== id);
  if (foreign.length === 0 || globs.some((glob) => matchesMore(glob, ids))) return;
  for (const id of foreign) warnings.push(`action ${id} is read as ${respelled(id)}`);
  changeEach(manifest, 'actions', (action) => ({ ...action, action_id: respelled(action.action_id) }));
  for (const member of ['policies', 'capabilities']) {
    changeEach(manifest, member, (each) =>
      Array.isArray(each.actions) ? { ...each, actions: each.actions.map(respelled) } : each,
    );
  }
}

function respelled<T>(id: T): T | string {
  return typeof id === 'string' ? id.replaceAll(/[_-]/g, '.') : id;
}

function matchesMore(glob: unknown, ids: readonly string[]): boolean {
  if (typeof glob !== 'string') return false;
  const [before, after] = [globMatcher(glob), globMatcher(respelled(glob))];
  return ids.some((id) => !before(id) && after(respelled(id)));
}

function membersOf(list: unknown, member: string): unknown[] {
  return asRecords(list).map((each) => each[member]);
}

function changeEach(
  manifest: Record<string, unknown>,
  member: string,
  change: (record: LooseRecord) => LooseRecord,
): void {
  const list = manifest[member];
  if (Array.isArray(list)) manifest[member] = list.map((each) => (isRecord(each) ? change(each) : each));
}

function relaxPolicy(written: LooseRecord, warnings: string[]): LooseRecord {
  const policy: Record<string, unknown> = { ...written };
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
    policy.parameters = { reason: policy.reason, ...asRecord(policy.parameters) };
    delete policy.reason;
    warnings.push(`policy ${name}: reason is read as parameters.reason`);
  }
  return policy;
}

function takeBlocks(manifest: Record<string, unknown>, warnings: string[]): InlineBlock[] {
  if (!Array.isArray(manifest.context_blocks)) return [];
  const parsed = z.array(blockSchema).safeParse(manifest.context_blocks);
  // Left in place, so that the strict schema names the member.
  if (!parsed.success) return [];
  delete manifest.context_blocks;
  warnings.push('context_blocks is not part of Atlas/1.0 and is read as an extension');
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
