import { member } from '../../../../../kernel/json/loose.ts';
import {
  containedPath,
  isProductPath,
  isReservedPath,
  isReviewablePath,
  isTestPath,
} from '../../../path-rules.ts';
import type { TurnResult } from '../../turn-result.ts';
import { type Finding, finder, roleOf, type StageReport, type TurnContext } from './stage.ts';

const fault = finder('artifact_error');

/** Compares what the turn claims to have written with what its role may write. */
export function artifactStage(result: TurnResult, context: TurnContext): StageReport {
  return {
    findings: [
      ...pathFindings(result),
      ...authorityFindings(result, context),
      ...implementationFindings(result, context),
      ...proposalFindings(result, context),
    ],
    warnings: testsOnly(result) ? ['Only tests changed; the product did not.'] : [],
  };
}

function pathFindings(result: TurnResult): Finding[] {
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
  return named.flatMap(([field, path]) => {
    if (containedPath(path) === undefined) {
      return [
        {
          ...fault(field, `${path} is not inside the repository.`, 'Use relative paths without "..".'),
          path,
        },
      ];
    }
    if (!isReservedPath(path)) return [];
    const message = `${path} belongs to the orchestrator.`;
    return [
      {
        ...fault(field, message, 'Leave it alone and remove it from the result.', 'reserved_path_violation'),
        path,
      },
    ];
  });
}

function authorityFindings(result: TurnResult, context: TurnContext): Finding[] {
  const authority = roleOf(context)?.write_authority ?? 'authoritative';
  const type = result.artifact.type;
  const findings: Finding[] = [];
  if (authority === 'review_only') {
    result.files_changed.forEach((path, index) => {
      if (isReviewablePath(path)) return;
      const next = 'Write only below .planning/ or .agentxchain/reviews/.';
      findings.push({ ...fault(`files_changed.${index}`, `A reviewer may not change ${path}.`, next), path });
    });
    if (type !== 'review') {
      findings.push(
        fault('artifact.type', `A reviewer delivers a review, not "${type}".`, 'Use type "review".'),
      );
    }
    return findings;
  }
  if (type === 'workspace' && authority !== 'authoritative') {
    findings.push(fault('artifact.type', `A ${authority} role has no workspace.`, 'Use type "patch".'));
  }
  if (type === 'workspace' && !hasWork(result)) {
    findings.push(
      fault('files_changed', 'A workspace without a changed file.', 'List the files, or use "review".'),
    );
  }
  if (authority === 'authoritative' && type === 'review' && result.files_changed.some(isProductPath)) {
    findings.push(
      fault('artifact.type', 'Product files changed, so this is not a review.', 'Use type "workspace".'),
    );
  }
  return findings;
}

/** A completed implementation turn must have changed the product at least once in the run. */
function implementationFindings(result: TurnResult, context: TurnContext): Finding[] {
  const { state, history } = context;
  if (state.phase !== 'implementation' || result.status !== 'completed') return [];
  if (roleOf(context)?.write_authority !== 'authoritative' || result.files_changed.some(isProductPath))
    return [];
  const before = history.some(
    (row) =>
      row.phase === 'implementation' && row.status === 'completed' && row.files_changed.some(isProductPath),
  );
  if (before) return [];
  return [
    fault(
      'files_changed',
      'No product file has changed in this implementation phase.',
      'Change the product, or end the turn as blocked or needs_human.',
    ),
  ];
}

function hasWork(result: TurnResult): boolean {
  const produced = result.verification.produced_files ?? [];
  return result.files_changed.length > 0 || produced.some((file) => file.disposition === 'artifact');
}

function testsOnly(result: TurnResult): boolean {
  const product = result.files_changed.filter(isProductPath);
  return product.length > 0 && product.every(isTestPath);
}

const PROPOSING_TRANSPORTS = ['api_proxy', 'remote_agent', 'a2a'];

/** A role that cannot write must propose its changes; a summary alone is not work. */
function proposalFindings(result: TurnResult, context: TurnContext): Finding[] {
  const role = roleOf(context);
  const transport = member(context.config.runtimes, context.turn?.runtime_id ?? '')?.type ?? '';
  const mustPropose =
    role?.write_authority === 'proposed' &&
    result.status === 'completed' &&
    PROPOSING_TRANSPORTS.includes(transport) &&
    result.run_completion_request !== true;
  const changes = result.proposed_changes ?? [];
  if (mustPropose && changes.length === 0) {
    return [
      fault(
        'proposed_changes',
        `A completed turn over ${transport} proposes changes.`,
        'List proposed_changes.',
      ),
    ];
  }
  const seen = new Set<string>();
  return changes.flatMap((change, index) => {
    if (!seen.has(change.path)) {
      seen.add(change.path);
      return [];
    }
    return [
      fault(`proposed_changes.${index}.path`, `${change.path} is proposed twice.`, 'Propose each file once.'),
    ];
  });
}
