import { globMatcher } from '../../../../kernel/glob.ts';
import { jsonPointer } from '../../../../kernel/json/pointer.ts';
import { readPolicyRule } from '../../policies/rules/parameters.ts';
import { isTimeZone } from '../../policies/rules/time-window.ts';
import type { AtlasManifest, Conditions, Policy } from '../schema.ts';
import { filePaths, pathProblem } from './context-files.ts';
import { isRange } from './dependencies.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Stable codes; an error keeps an Atlas from being loaded. */
const LINT_CODES = {
  schema: 'error',
  duplicate_action: 'error',
  duplicate_policy: 'error',
  duplicate_pack: 'error',
  duplicate_capability: 'error',
  unknown_action: 'error',
  unknown_pack: 'error',
  policy_parameters: 'error',
  unknown_time_zone: 'error',
  path_escape: 'error',
  invalid_range: 'error',
  invalid_parameters_schema: 'error',
  no_policies: 'warning',
  policy_matches_nothing: 'warning',
  glob_characters: 'warning',
  empty_capability: 'warning',
  empty_pack: 'warning',
  missing_file: 'warning',
  half_rate_limit: 'warning',
  no_executor: 'info',
  no_license: 'info',
  no_authors: 'info',
  no_domains: 'info',
} as const satisfies Record<string, Severity>;

export type LintCode = keyof typeof LINT_CODES;

export interface Finding {
  readonly code: LintCode;
  readonly severity: Severity;
  readonly pointer: string;
  readonly message: string;
}

export interface LintFacts {
  /** Paths of the files that are there; undefined for a single manifest. */
  readonly files?: ReadonlySet<string>;
  /** Why a JSON Schema cannot be used; undefined when it can. */
  readonly schemaProblem?: (schema: Readonly<Record<string, unknown>>) => string | undefined;
}

export function finding(code: LintCode, path: readonly (string | number)[], message: string): Finding {
  return { code, severity: LINT_CODES[code], pointer: jsonPointer(path), message };
}

/** Everything beyond the schema that makes an Atlas wrong, doubtful or incomplete. */
export function lintManifest(manifest: AtlasManifest, facts: LintFacts = {}): Finding[] {
  return [
    ...duplicates(manifest),
    ...lintPolicies(manifest),
    ...lintCapabilities(manifest),
    ...lintPacks(manifest, facts),
    ...lintActions(manifest, facts),
    ...lintDependencies(manifest),
    ...lintMetadata(manifest),
  ];
}

function duplicates(manifest: AtlasManifest): Finding[] {
  const twice = (code: LintCode, member: string, ids: readonly string[]) =>
    ids.flatMap((id, at) =>
      ids.indexOf(id) < at ? [finding(code, [member, at], `${id} is defined twice`)] : [],
    );
  return [
    ...twice(
      'duplicate_action',
      'actions',
      (manifest.actions ?? []).map((each) => each.action_id),
    ),
    ...twice(
      'duplicate_policy',
      'policies',
      (manifest.policies ?? []).map((each) => each.policy_id),
    ),
    ...twice(
      'duplicate_pack',
      'context_packs',
      (manifest.context_packs ?? []).map((each) => each.pack_id),
    ),
    ...twice(
      'duplicate_capability',
      'capabilities',
      (manifest.capabilities ?? []).map((each) => each.capability_id),
    ),
  ];
}

function lintPolicies(manifest: AtlasManifest): Finding[] {
  const actionIds = (manifest.actions ?? []).map((each) => each.action_id);
  const policies = manifest.policies ?? [];
  const findings = policies.flatMap((policy, at) => [
    ...readPolicyRule(policy).faults.map((fault) =>
      finding(
        'policy_parameters',
        ['policies', at, 'parameters', ...(fault.member === '' ? [] : fault.member.split('.'))],
        `${policy.policy_id}: ${fault.message}`,
      ),
    ),
    ...lintZone(policy.conditions, ['policies', at]),
    ...lintGlobs(policy, at, actionIds),
  ]);
  if (policies.length === 0 && actionIds.length > 0) {
    findings.push(finding('no_policies', [], 'No policy allows anything, so every action is denied'));
  }
  return findings;
}

function lintGlobs(policy: Policy, at: number, actionIds: readonly string[]): Finding[] {
  const globs = policy.actions ?? ['*'];
  const findings = globs.flatMap((glob, index) =>
    /^[a-z0-9.*?]+$/.test(glob)
      ? []
      : [finding('glob_characters', ['policies', at, 'actions', index], `${glob} can match no action id`)],
  );
  const matchers = globs.map(globMatcher);
  if (!actionIds.some((id) => matchers.some((matches) => matches(id)))) {
    findings.push(
      finding(
        'policy_matches_nothing',
        ['policies', at],
        `${policy.policy_id} matches no action of this Atlas`,
      ),
    );
  }
  return findings;
}

function lintZone(conditions: Conditions | undefined, path: (string | number)[]): Finding[] {
  const zone = conditions?.time_window?.timezone;
  if (zone === undefined || isTimeZone(zone)) return [];
  return [
    finding(
      'unknown_time_zone',
      [...path, 'conditions', 'time_window', 'timezone'],
      `${zone} is not an IANA time zone`,
    ),
  ];
}

function lintCapabilities(manifest: AtlasManifest): Finding[] {
  const actions = new Set((manifest.actions ?? []).map((each) => each.action_id));
  const packs = new Set((manifest.context_packs ?? []).map((each) => each.pack_id));
  return (manifest.capabilities ?? []).flatMap((capability, at) => [
    ...(capability.actions ?? []).flatMap((id, index) =>
      actions.has(id)
        ? []
        : [finding('unknown_action', ['capabilities', at, 'actions', index], `${id} is not defined`)],
    ),
    ...(capability.context_packs ?? []).flatMap((id, index) =>
      packs.has(id)
        ? []
        : [finding('unknown_pack', ['capabilities', at, 'context_packs', index], `${id} is not defined`)],
    ),
    ...((capability.actions ?? []).length === 0
      ? [finding('empty_capability', ['capabilities', at], `${capability.capability_id} has no actions`)]
      : []),
  ]);
}

function lintPacks(manifest: AtlasManifest, facts: LintFacts): Finding[] {
  return (manifest.context_packs ?? []).flatMap((pack, at) => [
    ...lintZone(pack.conditions, ['context_packs', at]),
    ...(pack.files.length === 0
      ? [finding('empty_pack', ['context_packs', at], `${pack.pack_id} has no files`)]
      : []),
    ...pack.files.flatMap((file, index) => {
      const path = ['context_packs', at, 'files', index];
      const problem = pathProblem(file);
      if (problem) return [finding('path_escape', path, `${file} ${problem}`)];
      const there = !facts.files || filePaths(file).some((each) => facts.files?.has(each));
      return there ? [] : [finding('missing_file', path, `${file} is missing, so the pack lacks that block`)];
    }),
  ]);
}

function lintActions(manifest: AtlasManifest, facts: LintFacts): Finding[] {
  return (manifest.actions ?? []).flatMap((action, at) => {
    const findings: Finding[] = [];
    for (const member of ['parameters_schema', 'returns_schema'] as const) {
      const schema = action[member];
      const problem = schema && facts.schemaProblem?.(schema);
      if (problem) findings.push(finding('invalid_parameters_schema', ['actions', at, member], problem));
    }
    const { max_calls: calls, window_seconds: seconds } = action.rate_limit ?? {};
    if (action.rate_limit && (calls === undefined || seconds === undefined)) {
      findings.push(
        finding(
          'half_rate_limit',
          ['actions', at, 'rate_limit'],
          'max_calls and window_seconds only work together',
        ),
      );
    }
    if (action.executor === undefined) {
      findings.push(finding('no_executor', ['actions', at], `${action.action_id} names no executor`));
    }
    return findings;
  });
}

function lintDependencies(manifest: AtlasManifest): Finding[] {
  return Object.entries(manifest.dependencies ?? {}).flatMap(([id, range]) =>
    isRange(range) ? [] : [finding('invalid_range', ['dependencies', id], `${range} is not a semver range`)],
  );
}

function lintMetadata(manifest: AtlasManifest): Finding[] {
  return [
    ...(manifest.license === undefined ? [finding('no_license', [], 'No license is named')] : []),
    ...((manifest.authors ?? []).length === 0 ? [finding('no_authors', [], 'No author is named')] : []),
    ...((manifest.domains ?? []).length === 0 ? [finding('no_domains', [], 'No domain is named')] : []),
  ];
}
