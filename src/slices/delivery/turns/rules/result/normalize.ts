import type { Doc } from '../../../document.ts';
import type { TurnContext } from './context.ts';
import { repairNextRole } from './next-role.ts';
import { repairArtifact, repairEmptyWorkspace } from './normalize-artifact.ts';
import { repairFiles } from './normalize-files.ts';
import { repairIdentity } from './normalize-identity.ts';
import { repairDecisions, repairObjections } from './normalize-items.ts';
import { repairLifecycle } from './normalize-lifecycle.ts';
import { repairStatus, repairSummary } from './normalize-status.ts';
import { repairVerification } from './normalize-verification.ts';

/** A draft that repairs may rewrite; the staged document itself is never touched. */
export type Draft = Record<string, unknown>;
export type Repair = (draft: Draft, context: TurnContext, note: (what: string) => void) => void;

/** Later repairs rely on earlier ones: the status decides what the lifecycle may infer, files what the artifact is. */
const REPAIRS: readonly Repair[] = [
  repairIdentity,
  repairStatus,
  repairSummary,
  repairFiles,
  repairDecisions,
  repairObjections,
  repairVerification,
  repairLifecycle,
  repairArtifact,
  repairEmptyWorkspace,
  repairNextRole,
];

/** Agents get small things wrong; what has one obvious meaning is put right and said so, never silently. */
export function normalizeTurnResult(
  staged: Doc,
  context: TurnContext,
): { readonly result: Doc; readonly warnings: readonly string[] } {
  const draft: Draft = { ...staged };
  const warnings: string[] = [];
  for (const repair of REPAIRS) {
    repair(draft, context, (what) => warnings.push(`[normalized] ${what}`));
  }
  return { result: draft, warnings };
}
