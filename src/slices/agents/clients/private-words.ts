/** Passages between `<private>` and `</private>`, which nobody else is to see. One that is not closed goes to the end. */
const PRIVATE = /<private>[\s\S]*?(?:<\/private>|$)/gi;

/** Stands where something was removed: what is decided by it cannot be known. */
export const REMOVED = '[private]';

/** Removes them from every text of a message. */
export function withoutPrivate(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.toLowerCase().includes('<private>') ? value.replaceAll(PRIVATE, REMOVED) : value;
  }
  if (Array.isArray(value)) return value.map(withoutPrivate);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutPrivate(member)]));
}
