import { INTAKE_FOLDER } from '../intake/intent.ts';
import { containedPath } from '../path-rules.ts';
import { FILES } from './paths.ts';

/** Files that only the orchestrator writes, and the configuration, which only a person does. */
const GOVERNED: readonly string[] = [
  FILES.config,
  FILES.state,
  FILES.history,
  FILES.ledger,
  FILES.repoDecisions,
  FILES.events,
  FILES.runHistory,
  FILES.hookAudit,
  FILES.hookAnnotations,
  FILES.session,
  FILES.attached,
  FILES.talk,
];

/** Each file directly below is governed. */
export const GOVERNED_FOLDER = INTAKE_FOLDER;

/** Folders that must not be links: what is written below them would end up elsewhere. */
export const OWN_FOLDERS: readonly string[] = [
  '.agentxchain',
  '.agentxchain/dispatch',
  '.agentxchain/dispatch/turns',
  '.agentxchain/dispatch/rejected',
  '.agentxchain/staging',
  '.agentxchain/locks',
  '.agentxchain/logs',
  '.agentxchain/reviews',
  '.agentxchain/proposed',
  GOVERNED_FOLDER,
];

export function governedPaths(prompts: readonly string[]): readonly string[] {
  const contained = prompts.flatMap((path) => containedPath(path) ?? []);
  return [...new Set([...GOVERNED, ...contained])];
}

export function isGoverned(path: string, prompts: readonly string[]): boolean {
  const contained = containedPath(path) ?? path;
  const lower = contained.toLowerCase();
  return (
    governedPaths(prompts).some((each) => each.toLowerCase() === lower) ||
    lower.startsWith(`${GOVERNED_FOLDER}/`)
  );
}

/** A turn may write these below `.agentxchain`; everything else there is the orchestrator's. */
const OF_TURNS = /^\.agentxchain\/(reviews|reports|proposed)\//;

/** Whether a turn that changed this in its work tree reached for what is not its own. */
export function isOutOfReach(path: string, prompts: readonly string[]): boolean {
  const contained = containedPath(path) ?? path;
  if (isGoverned(contained, prompts)) return true;
  return contained.toLowerCase().startsWith('.agentxchain/') && !OF_TURNS.test(contained);
}

/** What may change between runs without anybody vouching for it: the next run pins it anew. */
export function isConfiguration(path: string, prompts: readonly string[]): boolean {
  return path === FILES.config || prompts.includes(path);
}
