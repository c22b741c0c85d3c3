/**
 * Whether every half of a surrogate pair has its other half. Newer than the library that the compiler is told of, but
 * everywhere that this runs.
 */
export function isWellFormed(text: string): boolean {
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
