/** What came of evaluating a rule: one that asks a person lets pass what a person has approved. */
export function evaluatedEffect({ effect, result }: Readonly<Record<string, unknown>>): string {
  if (effect === 'require_approval' && result === 'allow') return 'agreed';
  return String(effect ?? result ?? '');
}
