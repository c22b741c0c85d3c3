export const MEMORY_TYPES = ['episodic', 'semantic', 'procedural'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Which array of a profile holds a memory is its type; the memory itself has no field for it. */
export const arrayKeyOf = (type: MemoryType): `a2p:${MemoryType}` => `a2p:${type}`;

export function isMemoryType(text: unknown): text is MemoryType {
  return MEMORY_TYPES.includes(text as MemoryType);
}

/** `a2p:episodic` as a category is the legacy word for "uncategorised, of this type". */
export function typeOfArrayKey(key: string): MemoryType | undefined {
  const name = key.startsWith('a2p:') ? key.slice(4) : '';
  return isMemoryType(name) ? name : undefined;
}
