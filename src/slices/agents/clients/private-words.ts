/** Passages between `<private>` and `</private>`, which nobody else is to see. One that is not closed goes to the end. */
const PRIVATE = /<private>[\s\S]*?(?:<\/private>|$)/gi;

/** Stands where something was removed: what is decided by it cannot be known. */
export const REMOVED = '[private]';

/** Deeper than any client's message, and no agent's can exhaust the stack. */
const DEEPEST = 64;

/** Removes them from every text of a message, and what is nested too deep. */
export function withoutPrivate(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return value.toLowerCase().includes('<private>') ? value.replaceAll(PRIVATE, REMOVED) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return REMOVED;
  const within = (member: unknown) => withoutPrivate(member, depth + 1);
  if (Array.isArray(value)) return value.map(within);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, within(member)]));
}
