import { BareObject } from '../../../kernel/json/bare-object.ts';
import { isRecord, type LooseRecord } from '../../../kernel/json/loose.ts';

/** As much as a span can show of one text, and room for a secret that begins in it and ends beyond. */
export const MAX_SHOWN_CHARS = 64 * 1024 + 16 * 1024;
const MAX_DEPTH = 64;

export interface CappedParts {
  /** As many as there were. */
  readonly parts: readonly LooseRecord[];
  /** How many characters of their texts were left out. */
  readonly cut: number;
}

/** Cuts parts as they come. */
export interface PartCap {
  cap(part: LooseRecord): LooseRecord;
  /** How many characters of their texts were left out so far. */
  readonly cut: number;
}

/**
 * The parts, cut where a span can show no more of them: however much was said, what is looked through for secrets and
 * written down stays small. Beyond the limit texts are empty, and other members are left out.
 */
export function cappedParts(parts: readonly LooseRecord[], most = MAX_SHOWN_CHARS): CappedParts {
  const all = createPartCap(most);
  return { parts: parts.map((part) => all.cap(part)), cut: all.cut };
}

export function createPartCap(most = MAX_SHOWN_CHARS): PartCap {
  let left = most;
  let cut = 0;

  function spend(count: number): void {
    left = Math.max(0, left - count);
  }

  function cappedText(text: string): string {
    const kept = text.length <= left ? text : text.slice(0, left);
    cut += text.length - kept.length;
    spend(kept.length);
    return kept;
  }

  function capped(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return cappedText(value);
    spend(1);
    if (Array.isArray(value)) {
      const kept: unknown[] = [];
      for (let at = 0; at < value.length && left > 0 && depth < MAX_DEPTH; at += 1)
        kept.push(capped(value[at], depth + 1));
      return kept;
    }
    return isRecord(value) ? cappedMembers(value, depth) : value;
  }

  function cappedMembers(value: LooseRecord, depth: number): LooseRecord {
    const kept: Record<string, unknown> = new BareObject();
    for (const name of Object.keys(value)) {
      const isShown = (left > 0 && depth < MAX_DEPTH) || (depth === 0 && name === 'text');
      if (!isShown) continue;
      // A stream may bring thousands of short texts, each a part: what they say counts, not how they are wrapped.
      const isWrapping = depth === 0 && (name === 'text' || (name === 'kind' && value.kind === 'text'));
      if (!isWrapping) spend(name.length);
      kept[name] = isWrapping && name === 'kind' ? value.kind : capped(value[name], depth + 1);
    }
    return kept;
  }

  return {
    cap: (part) => cappedMembers(part, 0),
    get cut() {
      return cut;
    },
  };
}
