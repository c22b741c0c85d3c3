/** Where a coordinator keeps its files, below the workspace that holds the repositories. */
export const MULTI = {
  config: 'agentxchain-multi.json',
  state: '.agentxchain/multirepo/state.json',
  history: '.agentxchain/multirepo/history.jsonl',
  ledger: '.agentxchain/multirepo/decision-ledger.jsonl',
  barriers: '.agentxchain/multirepo/barriers.json',
  barrierLedger: '.agentxchain/multirepo/barrier-ledger.jsonl',
  context: '.agentxchain/multirepo/context',
  hookAudit: '.agentxchain/multirepo/hook-audit.jsonl',
  recovery: '.agentxchain/multirepo/RECOVERY_REPORT.md',
  lock: '.agentxchain/locks/coordinator.lock',
} as const;
