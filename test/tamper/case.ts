/** One way of changing a store behind Baton's back, and what verification must say of it. */
export interface TamperCase {
  /** Who does what: the name of the test. */
  readonly name: string;
  readonly sql: (engine: 'sqlite' | 'postgres') => readonly string[];
  readonly expected: Expected;
}

/** A fault of this kind, at this table and row as far as they are named; or the reason why there need be none. */
export type Expected =
  | { readonly kind?: string; readonly table?: string; readonly key?: string }
  | { readonly harmless: string };

interface FoundFault {
  readonly kind: string;
  readonly table?: string;
  readonly key?: string;
}

export function isNoticed(expected: Expected, faults: readonly FoundFault[]): boolean {
  if ('harmless' in expected) return faults.length === 0;
  const { kind, table, key } = expected;
  return faults.some(
    (fault) =>
      (kind === undefined || fault.kind === kind) &&
      (table === undefined || fault.table === table) &&
      (key === undefined || fault.key === key),
  );
}
