/**
 * The same text with memory of its own: one that was cut from a longer text keeps all of that alive as long as it is
 * remembered. Joined and cut again, it keeps only itself.
 */
export function apart(text: string): string {
  return `-${text}`.slice(1);
}
