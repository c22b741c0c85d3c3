import { globMatcher } from '../../../../kernel/glob.ts';

/**
 * Finds what a glob matches among many names without trying them all: an exact name is looked up, a prefix
 * (`ticket.*`) or suffix (`*.delete`) is a range of the sorted names; only a glob of another form is tried on each.
 * Globs repeat over a set of rules, so each is answered once.
 */
export class GlobIndex<T> {
  private readonly known = new Map<string, readonly T[]>();
  private readonly items: ReadonlyMap<string, T>;
  private forwards: SortedNames<T> | undefined;
  private backwards: SortedNames<T> | undefined;

  constructor(items: ReadonlyMap<string, T>) {
    this.items = items;
  }

  matching(glob: string): readonly T[] {
    const known = this.known.get(glob);
    if (known) return known;
    const found = this.find(glob);
    this.known.set(glob, found);
    return found;
  }

  private find(glob: string): readonly T[] {
    const star = glob.indexOf('*');
    const simple = !glob.includes('?') && star === glob.lastIndexOf('*');
    if (simple && star < 0) {
      const item = this.items.get(glob);
      return item === undefined ? [] : [item];
    }
    if (glob === '*') return [...this.items.values()];
    if (simple && star === glob.length - 1) {
      this.forwards ??= new SortedNames(this.items, (name) => name);
      return this.forwards.startingWith(glob.slice(0, -1));
    }
    if (simple && star === 0) {
      this.backwards ??= new SortedNames(this.items, reversed);
      return this.backwards.startingWith(reversed(glob.slice(1)));
    }
    const matches = globMatcher(glob);
    return [...this.items].filter(([name]) => matches(name)).map(([, item]) => item);
  }
}

class SortedNames<T> {
  private readonly names: readonly string[];
  private readonly items: readonly T[];

  constructor(items: ReadonlyMap<string, T>, spelled: (name: string) => string) {
    const entries = [...items].map(([name, item]) => ({ name: spelled(name), item }));
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    this.names = entries.map(({ name }) => name);
    this.items = entries.map(({ item }) => item);
  }

  startingWith(prefix: string): readonly T[] {
    let low = 0;
    let high = this.names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.names[middle] as string) < prefix) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.names[end]?.startsWith(prefix)) end += 1;
    return this.items.slice(low, end);
  }
}

/** By code unit, as `startsWith` compares. */
function reversed(text: string): string {
  let turned = '';
  for (let at = text.length - 1; at >= 0; at -= 1) turned += text[at];
  return turned;
}
