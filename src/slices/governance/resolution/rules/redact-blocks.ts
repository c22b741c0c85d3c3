import type { ResolutionDraft } from './resolve.ts';
import { estimateTokens } from './tokens.ts';

/** Takes secrets out of the context before it is handed out, and says from which blocks. */
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
