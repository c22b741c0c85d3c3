export type Obj = Readonly<Record<string, unknown>>;

export function isObj(value: unknown): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objects(value: unknown): readonly Obj[] {
  return Array.isArray(value) ? value.filter(isObj) : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The members that have a value. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}
