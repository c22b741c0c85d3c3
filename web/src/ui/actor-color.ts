const COLOURS = 8;

/** A colour of its own for each agent, the same on every page and at every visit; the ninth takes one again. */
export function actorColor(id: string): string {
  let sum = 2166136261;
  for (const char of id) sum = Math.imul(sum ^ char.charCodeAt(0), 16777619) >>> 0;
  return `var(--agent-${sum % COLOURS})`;
}

/** `CH` of `coral-heron`: told apart also without colour. */
export function initials(id: string): string {
  const words = id.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [...id].slice(0, 2);
  return letters.join('').toUpperCase();
}
