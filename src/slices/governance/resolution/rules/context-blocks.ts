import { globMatcher } from '../../../../kernel/glob.ts';
import { utf8Length } from '../../../../kernel/json/utf8.ts';
import type { Atlas, InlineBlock } from '../../atlases/rules/atlas.ts';
import { contentTypeOf, filePaths } from '../../atlases/rules/context-files.ts';
import type { ContextPack } from '../../atlases/schema.ts';
import { contextFits, type DecisionInput } from '../../policies/rules/decide.ts';
import { compileWindow, inWindow } from '../../policies/rules/time-window.ts';
import type { ContextBlock } from '../schema.ts';
import type { ResolutionDraft } from './resolve.ts';

export interface ContextQuery {
  readonly input: DecisionInput;
  readonly goal: string;
  readonly hints: readonly string[];
  readonly requiredCapabilities: readonly string[];
}

const DEFAULT_PRIORITY = 100;

/** Blocks by priority, the highest first; then in the order of Atlases, packs and files. */
export function selectContext(atlases: readonly Atlas[], query: ContextQuery): ContextBlock[] {
  const blocks = atlases.flatMap((atlas) => [
    ...(atlas.manifest.context_packs ?? [])
      .filter((pack) => packApplies(pack, atlas, query))
      .flatMap((pack) => packBlocks(pack, atlas)),
    ...selectInlineBlocks(atlas, query),
  ]);
  return blocks.sort((a, b) => b.priority - a.priority);
}

function packApplies(pack: ContextPack, atlas: Atlas, query: ContextQuery): boolean {
  const { conditions = {} } = pack;
  const { input } = query;
  if (conditions.risk_tiers && !conditions.risk_tiers.includes(input.riskTier ?? 'low')) return false;
  if (conditions.agents && !conditions.agents.some((glob) => globMatcher(glob)(input.agentId))) return false;
  if (
    conditions.capabilities &&
    !conditions.capabilities.some((id) => query.requiredCapabilities.includes(id))
  ) {
    return false;
  }
  if (conditions.context_matches && !contextFits(Object.entries(conditions.context_matches), input.context)) {
    return false;
  }
  if (conditions.time_window && !inWindow(compileWindow(conditions.time_window), input.now)) return false;
  return capabilitiesWantIt(pack, atlas, query) || hinted(pack, atlas, query.hints);
}

/** A pack of a capability is included if one of its capabilities is asked for, or none in particular. */
function capabilitiesWantIt(pack: ContextPack, atlas: Atlas, query: ContextQuery): boolean {
  if (query.requiredCapabilities.length === 0) return true;
  const owners = (atlas.manifest.capabilities ?? []).filter((each) =>
    each.context_packs?.includes(pack.pack_id),
  );
  return (
    owners.length === 0 || owners.some((each) => query.requiredCapabilities.includes(each.capability_id))
  );
}

function hinted(pack: ContextPack, atlas: Atlas, hints: readonly string[]): boolean {
  return hints.some(
    (hint) => hint === pack.pack_id || hint === pack.name || (atlas.manifest.domains ?? []).includes(hint),
  );
}

/** Leaves out files that are missing or exceed the token budget of the pack. */
function packBlocks(pack: ContextPack, atlas: Atlas): ContextBlock[] {
  const blocks: ContextBlock[] = [];
  let spent = 0;
  for (const file of pack.files) {
    const path = filePaths(file).find((each) => atlas.files.has(each));
    if (path === undefined) continue;
    const content = atlas.files.get(path) as string;
    const tokens = estimateTokens(content);
    if (pack.max_tokens !== undefined && spent + tokens > pack.max_tokens) continue;
    spent += tokens;
    blocks.push({
      block_id: pack.files.length === 1 ? pack.pack_id : `${pack.pack_id}#${file}`,
      source: atlas.manifest.atlas_id,
      content_type: contentTypeOf(path),
      content,
      priority: pack.priority ?? DEFAULT_PRIORITY,
      token_estimate: tokens,
    });
  }
  return blocks;
}

/** A quarter of the bytes, rounded up. */
function estimateTokens(content: string): number {
  return Math.ceil(utf8Length(content) / 4);
}

/** Context blocks of the manifest itself, with the blocks that they link to. */
function selectInlineBlocks(atlas: Atlas, query: ContextQuery): ContextBlock[] {
  const byId = new Map(atlas.blocks.map((block) => [block.contextId, block]));
  const chosen = new Set<InlineBlock>();
  const take = (block: InlineBlock) => {
    if (chosen.has(block)) return;
    chosen.add(block);
    for (const id of block.alsoInject) {
      const linked = byId.get(id);
      if (linked) take(linked);
    }
  };
  for (const block of atlas.blocks) if (wanted(block, query)) take(block);
  return atlas.blocks.filter((block) => chosen.has(block)).map((block) => blockOf(block, atlas));
}

function wanted(block: InlineBlock, query: ContextQuery): boolean {
  switch (block.mode) {
    case 'always':
      return true;
    case 'on_demand':
      return query.hints.includes(block.contextId);
    case 'risk_based':
      return block.riskTiers.includes(query.input.riskTier ?? 'low');
    case 'on_match': {
      const goal = query.goal.toLowerCase();
      return block.keywords.some((keyword) => goal.includes(keyword.toLowerCase()));
    }
  }
}

function blockOf(block: InlineBlock, atlas: Atlas): ContextBlock {
  const known = block.contentType === 'text/markdown' || block.contentType === 'application/json';
  return {
    block_id: block.contextId,
    source: atlas.manifest.atlas_id,
    content_type: known ? (block.contentType as 'text/markdown') : 'text/plain',
    content: block.content,
    priority: block.priority,
    token_estimate: estimateTokens(block.content),
  };
}

/** Removes secrets from the context before it is handed out, and lists the blocks concerned. */
export function redactBlocks(
  draft: ResolutionDraft,
  redact: (text: string) => string,
): { readonly draft: ResolutionDraft; readonly redacted: readonly string[] } {
  const redacted: string[] = [];
  const blocks = draft.blocks.map((block) => {
    const content = redact(block.content);
    if (content === block.content) return block;
    redacted.push(block.block_id);
    return { ...block, content, token_estimate: estimateTokens(content) };
  });
  return { draft: redacted.length > 0 ? { ...draft, blocks } : draft, redacted };
}
