import { join } from 'node:path';

/** Where a governed repository keeps its files, below its root. */
export const FILES = {
  config: 'agentxchain.json',
  state: '.agentxchain/state.json',
  history: '.agentxchain/history.jsonl',
  ledger: '.agentxchain/decision-ledger.jsonl',
  repoDecisions: '.agentxchain/repo-decisions.jsonl',
  events: '.agentxchain/events.jsonl',
  runHistory: '.agentxchain/run-history.jsonl',
  hookAudit: '.agentxchain/hook-audit.jsonl',
  hookAnnotations: '.agentxchain/hook-annotations.jsonl',
  session: '.agentxchain/session.json',
  talk: 'TALK.md',
  attached: '.agentxchain/attached.json',
  lock: '.agentxchain/locks/accept-turn.lock',
  legacyStaging: '.agentxchain/staging/turn-result.json',
  rejected: '.agentxchain/dispatch/rejected',
} as const;

export function bundleDir(turnId: string): string {
  return `.agentxchain/dispatch/turns/${fileSafe(turnId)}`;
}

export function stagingDir(turnId: string): string {
  return `.agentxchain/staging/${fileSafe(turnId)}`;
}

export function stagingPath(turnId: string): string {
  return `${stagingDir(turnId)}/turn-result.json`;
}

export function within(root: string, path: string): string {
  return join(root, ...path.split('/'));
}

/** Turn ids are ours, but anyone can edit a state file: an id must never lead out of its directory. */
export function fileSafe(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
