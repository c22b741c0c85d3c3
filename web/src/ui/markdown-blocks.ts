export type Block =
  | { readonly kind: 'text' | 'heading' | 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] };

export interface Inline {
  readonly kind: 'plain' | 'code' | 'strong' | 'em';
  readonly text: string;
}

const ITEM = /^\s{0,6}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const FENCE = /^\s{0,3}(?:```|~~~)/;

/** What agents write to each other: paragraphs, headings, lists and fenced code. Whatever else there is stays text. */
export function markdownBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) blocks.push({ kind: 'text', text: lines.join('\n') });
    lines = [];
  };
  const all = text.split(/\r?\n/);
  for (let at = 0; at < all.length; at += 1) {
    const line = all[at] ?? '';
    const item = ITEM.exec(line);
    if (FENCE.test(line)) {
      flush();
      const from = at + 1;
      at = from;
      while (at < all.length && !FENCE.test(all[at] ?? '')) at += 1;
      blocks.push({ kind: 'code', text: all.slice(from, at).join('\n') });
    } else if (/^#{1,6}\s/.test(line)) {
      flush();
      blocks.push({ kind: 'heading', text: line.replace(/^#+\s+/, '') });
    } else if (item) {
      flush();
      const ordered = item[1] !== undefined;
      const last = blocks.at(-1);
      if (last?.kind === 'list' && last.ordered === ordered && at > 0 && ITEM.test(all[at - 1] ?? '')) {
        blocks[blocks.length - 1] = { ...last, items: [...last.items, item[2] ?? ''] };
      } else blocks.push({ kind: 'list', ordered, items: [item[2] ?? ''] });
    } else if (line.trim() === '') flush();
    else lines.push(line);
  }
  flush();
  return blocks;
}

const MARKS = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?!\w)/g;

export function markdownInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > from) parts.push({ kind: 'plain', text: text.slice(from, match.index) });
    const [whole, code, strong, em] = match;
    parts.push(
      code !== undefined
        ? { kind: 'code', text: code }
        : strong !== undefined
          ? { kind: 'strong', text: strong }
          : { kind: 'em', text: em ?? '' },
    );
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push({ kind: 'plain', text: text.slice(from) });
  return parts;
}
