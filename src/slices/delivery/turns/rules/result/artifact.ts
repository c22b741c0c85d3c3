import { member } from '../../../../../kernel/json/loose.ts';
import type { Report } from '../../../findings.ts';
import {
  containedPath,
  isProductPath,
  isReservedPath,
  isReviewablePath,
  isTestPath,
} from '../../../path-rules.ts';
import type { TurnResult } from '../../turn-result.ts';
import { roleOf, type TurnContext } from './stage.ts';

/** Compares what the turn claims to have written with what its role may write. */
export function checkArtifact(result: TurnResult, context: TurnContext, report: Report) {
  checkPaths(result, report);
  checkAuthority(result, context, report);
  checkImplementation(result, context, report);
  checkProposal(result, context, report);
}

export function artifactWarnings(result: TurnResult): readonly string[] {
  const product = result.files_changed.filter(isProductPath);
  const testsOnly = product.length > 0 && product.every(isTestPath);
  return testsOnly ? ['Only tests changed; the product did not.'] : [];
}

function checkPaths(result: TurnResult, report: Report) {
  const named = [
    ...result.files_changed.map((path, index) => [`files_changed.${index}`, path] as const),
    ...(result.artifacts_created ?? []).map((path, index) => [`artifacts_created.${index}`, path] as const),
    ...(result.proposed_changes ?? []).map(
      (item, index) => [`proposed_changes.${index}.path`, item.path] as const,
    ),
    ...(result.verification.produced_files ?? []).map(
      (file, index) => [`verification.produced_files.${index}.path`, file.path] as const,
    ),
  ];
  for (const [field, path] of named) {
    if (containedPath(path) === undefined) {
      report(field, `${path} is not inside the repository.`, 'Use relative paths without "..".', { path });
    } else if (isReservedPath(path)) {
      const next = 'Leave it alone and remove it from the result.';
      report(field, `${path} belongs to the orchestrator.`, next, { type: 'reserved_path_violation', path });
    }
  }
}

function checkAuthority(result: TurnResult, context: TurnContext, report: Report) {
  const authority = roleOf(context)?.write_authority ?? 'authoritative';
  const type = result.artifact.type;
  if (authority === 'review_only') {
    for (const [index, path] of result.files_changed.entries()) {
      if (isReviewablePath(path)) continue;
      const next = 'Write only below .planning/ or .agentxchain/reviews/.';
      report(`files_changed.${index}`, `A reviewer may not change ${path}.`, next, { path });
    }
    if (type !== 'review')
      report('artifact.type', `A reviewer delivers a review, not "${type}".`, 'Use type "review".');
    return;
  }
  if (type === 'workspace' && authority !== 'authoritative')
    report('artifact.type', `A ${authority} role has no workspace.`, 'Use type "patch".');
  if (type === 'workspace' && !hasWork(result))
    report('files_changed', 'A workspace without a changed file.', 'List the files, or use "review".');
  if (authority === 'authoritative' && type === 'review' && result.files_changed.some(isProductPath))
    report('artifact.type', 'Product files changed, so this is not a review.', 'Use type "workspace".');
}

/** A completed implementation turn must have changed the product at least once in the run. */
function checkImplementation(result: TurnResult, context: TurnContext, report: Report) {
  if (context.state.phase !== 'implementation' || result.status !== 'completed') return;
  if (roleOf(context)?.write_authority !== 'authoritative') return;
  const turns = [...context.history, { ...result, phase: 'implementation' }];
  const changed = turns.some(
    (turn) =>
      turn.phase === 'implementation' &&
      turn.status === 'completed' &&
      turn.files_changed.some(isProductPath),
  );
  if (changed) return;
  const message = 'No product file has changed in this implementation phase.';
  report('files_changed', message, 'Change the product, or end the turn as blocked or needs_human.');
}

function hasWork(result: TurnResult): boolean {
  const produced = result.verification.produced_files ?? [];
  return result.files_changed.length > 0 || produced.some((file) => file.disposition === 'artifact');
}

const PROPOSING_TRANSPORTS = ['api_proxy', 'remote_agent', 'a2a'];

/** A role that cannot write must propose its changes; a summary alone is not work. */
function checkProposal(result: TurnResult, context: TurnContext, report: Report) {
  const transport = member(context.config.runtimes, context.turn?.runtime_id ?? '')?.type ?? '';
  const mustPropose =
    roleOf(context)?.write_authority === 'proposed' &&
    result.status === 'completed' &&
    PROPOSING_TRANSPORTS.includes(transport) &&
    result.run_completion_request !== true;
  const paths = (result.proposed_changes ?? []).map((change) => change.path);
  if (mustPropose && paths.length === 0) {
    const message = `A completed turn over ${transport} proposes changes.`;
    report('proposed_changes', message, 'List proposed_changes.');
  }
  for (const [index, path] of paths.entries()) {
    if (paths.indexOf(path) < index)
      report(`proposed_changes.${index}.path`, `${path} is proposed twice.`, 'Propose each file once.');
  }
}
