import { isMemoryType, type MemoryType, withoutType } from './categories.ts';

/** What consent looks at in a memory. */
export interface Place {
  readonly type: MemoryType;
  /** Undefined for a memory without a category. */
  readonly category: string | undefined;
}

export interface ScopePattern {
  readonly text: string;
  /** Undefined: every type. */
  readonly type: MemoryType | undefined;
  /** Which categories: all, one exactly, or one with everything below it. */
  readonly category:
    | { readonly kind: 'all'; readonly namespace: 'a2p' | 'ext' | undefined }
    | { readonly kind: 'exact' | 'below'; readonly name: string };
}

const SHAPE = /^(a2p|ext):[A-Za-z0-9_*]+(?:[.:][A-Za-z0-9_*]+)*$/;

/**
 * `a2p:preferences` is that category in all types, `a2p:semantic` that type in all categories,
 * `a2p:semantic.preferences` both; `.*` includes everything below, `a2p:*` and `ext:*` a namespace, `*` everything.
 * A bare name does not include what is below it. Undefined for anything that is not a scope.
 */
export function parseScope(text: string): ScopePattern | undefined {
  if (text === '*') return { text, type: undefined, category: { kind: 'all', namespace: undefined } };
  if (!SHAPE.test(text) || text.length > 200) return undefined;
  if (/\*./.test(text) || /[^.:]\*/.test(text)) return undefined;
  if (text === 'a2p:*') return { text, type: undefined, category: { kind: 'all', namespace: 'a2p' } };
  if (text === 'ext:*') return { text, type: undefined, category: { kind: 'all', namespace: 'ext' } };
  const dot = text.indexOf('.');
  const head = text.slice(4, dot < 0 ? undefined : dot);
  if (text.startsWith('a2p:') && isMemoryType(head))
    return typed(text, head, dot < 0 ? '' : text.slice(dot + 1));
  return { text, type: undefined, category: named(text) };
}

function typed(text: string, type: MemoryType, rest: string): ScopePattern {
  if (rest === '' || rest === '*') return { text, type, category: { kind: 'all', namespace: undefined } };
  return { text, type, category: named(`a2p:${rest}`) };
}

function named(text: string): ScopePattern['category'] {
  const below = /^(.+)[.:]\*$/.exec(text)?.[1];
  return below === undefined ? { kind: 'exact', name: text } : { kind: 'below', name: below };
}

/** A memory without a category, or with a legacy one (`a2p:episodic`), is covered only by patterns for its type or for all categories. */
export function covers(pattern: ScopePattern, place: Place): boolean {
  if (pattern.type !== undefined && pattern.type !== place.type) return false;
  const category = plainCategory(place.category);
  if (pattern.category.kind === 'all') {
    const { namespace } = pattern.category;
    return namespace === undefined || (category ?? 'a2p:').startsWith(`${namespace}:`);
  }
  if (category === undefined) return false;
  const { kind, name } = pattern.category;
  return category === name || (kind === 'below' && isBelow(category, name));
}

/** Whether the pattern names the category itself, as sensitive and restricted memories require. */
export function names(pattern: ScopePattern, place: Place): boolean {
  return pattern.category.kind !== 'all' && covers(pattern, place);
}

/** Whether denying the pattern closes this place: the category itself, or one above it. */
export function denies(pattern: ScopePattern, place: Place): boolean {
  if (covers(pattern, place)) return true;
  if (pattern.type !== undefined && pattern.type !== place.type) return false;
  const category = plainCategory(place.category);
  return (
    category !== undefined && pattern.category.kind === 'exact' && isBelow(category, pattern.category.name)
  );
}

function isBelow(category: string, name: string): boolean {
  return category.startsWith(`${name}.`) || category.startsWith(`${name}:`);
}

/** `a2p:semantic` is only a type; `a2p:semantic.preferences` is preferences. */
function plainCategory(category: string | undefined): string | undefined {
  return category === undefined ? undefined : withoutType(category);
}
