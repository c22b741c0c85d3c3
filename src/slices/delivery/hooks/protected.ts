/** Files that no hook may change, with the code that its tampering is recorded under. */
export const PROTECTED_FILES: Readonly<Record<string, string>> = {
  '.agentxchain/state.json': 'hook_state_tamper',
  '.agentxchain/history.jsonl': 'hook_history_tamper',
  '.agentxchain/decision-ledger.jsonl': 'hook_ledger_tamper',
};

/** Any other file that the caller protects belongs to the bundle under way. */
const BUNDLE_TAMPER = 'hook_bundle_tamper';

export function tamperCode(path: string): string {
  return (Object.hasOwn(PROTECTED_FILES, path) ? PROTECTED_FILES[path] : undefined) ?? BUNDLE_TAMPER;
}
