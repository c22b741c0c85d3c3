import { globMatcher } from '../../../kernel/glob.ts';

/**
 * Finds which of many globs match one action id without trying them all: exact ids, prefixes (`ticket.*`) and
 * suffixes (`*.delete`) are looked up, only globs of another form are tried one by one.
 */
export class PatternIndex {
  private readonly everything: number[] = [];
  private readonly exact = new Map<string, number[]>();
  private readonly prefixes = new Map<string, number[]>();
  private readonly suffixes = new Map<string, number[]>();
  private readonly general: { readonly matches: (text: string) => boolean; readonly entry: number }[] = [];
  /** Distinct lengths that occur: few, so that few pieces are cut. */
  private readonly prefixLengths = new Set<number>();
  private readonly suffixLengths = new Set<number>();

  add(pattern: string, entry: number): void {
    const star = pattern.indexOf('*');
    const single = !pattern.includes('?') && star === pattern.lastIndexOf('*');
    if (pattern === '*') this.everything.push(entry);
    else if (single && star < 0) push(this.exact, pattern, entry);
    else if (single && star === pattern.length - 1) {
      push(this.prefixes, pattern.slice(0, -1), entry);
      this.prefixLengths.add(pattern.length - 1);
    } else if (single && star === 0) {
      push(this.suffixes, pattern.slice(1), entry);
      this.suffixLengths.add(pattern.length - 1);
    } else this.general.push({ matches: globMatcher(pattern), entry });
  }

  /** Entries in ascending order, each once. */
  find(text: string): number[] {
    const found = [...this.everything, ...(this.exact.get(text) ?? [])];
    for (const length of this.prefixLengths) {
      if (length <= text.length) append(found, this.prefixes.get(text.slice(0, length)));
    }
    for (const length of this.suffixLengths) {
      if (length <= text.length) append(found, this.suffixes.get(text.slice(-length)));
    }
    for (const { matches, entry } of this.general) if (matches(text)) found.push(entry);
    if (found.length < 2) return found;
    found.sort((a, b) => a - b);
    return found.filter((entry, at) => at === 0 || entry !== found[at - 1]);
  }
}

function push(map: Map<string, number[]>, key: string, entry: number): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

function append(target: number[], entries: readonly number[] | undefined): void {
  if (entries) for (const entry of entries) target.push(entry);
}
