import type { Atlas, InlineBlock } from '../../atlases/rules/atlas.ts';
import type { ContextBlock } from '../schema.ts';
import type { ContextQuery } from './context-blocks.ts';
import { estimateTokens } from './tokens.ts';

/** Context written into the manifest, chosen as the runtimes that have it do; blocks bring their linked ones along. */
export function selectInlineBlocks(atlas: Atlas, query: ContextQuery): ContextBlock[] {
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
