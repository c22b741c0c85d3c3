import { jsonPointer } from '../../../../kernel/json/pointer.ts';
import { suggestion } from '../../../../kernel/nearest.ts';
import type { AtlasManifest } from '../schema.ts';
import { filePaths, pathProblem } from './context-files.ts';
import { isRange } from './dependencies.ts';
import { lintConditions } from './lint-conditions.ts';
import { lintPolicies } from './lint-policies.ts';
import { unknownKeywords } from './schema-keywords.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Stable codes; an error keeps an Atlas from being loaded. What lenient reading forgives is a warning there. */
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
  unknown_parameter: 'error',
  unknown_member: 'error',
  unknown_capability: 'error',
  unknown_path: 'error',
  impossible_value: 'error',
  never_holds: 'error',
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
  undeclared_path: 'warning',
  always_open: 'warning',
  unknown_keyword: 'warning',
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

const FORGIVEN: ReadonlySet<LintCode> = new Set(['unknown_parameter', 'unknown_member']);

export interface LintFacts {
  /** Members that other runtimes read are no error. */
  readonly lenient?: boolean;
  /** Paths of the files that are there; undefined for a single manifest. */
  readonly files?: ReadonlySet<string>;
  /** Why a JSON Schema cannot be used; undefined when it can. */
  readonly schemaProblem?: (schema: Readonly<Record<string, unknown>>) => string | undefined;
}

export function finding(code: LintCode, path: readonly (string | number)[], message: string): Finding {
  return { code, severity: LINT_CODES[code], pointer: jsonPointer(path), message };
}

export type Report = (code: LintCode, path: readonly (string | number)[], message: string) => void;

/** Everything beyond the schema that makes an Atlas wrong, doubtful or incomplete. */
export function lintManifest(manifest: AtlasManifest, facts: LintFacts = {}): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (...what) => {
    const found = finding(...what);
    findings.push(facts.lenient && FORGIVEN.has(found.code) ? { ...found, severity: 'warning' } : found);
  };
  lintDuplicates(manifest, report);
  lintPolicies(manifest, report);
  lintCapabilities(manifest, report);
  lintPacks(manifest, facts, report);
  lintActions(manifest, facts, report);
  for (const [id, range] of Object.entries(manifest.dependencies ?? {}))
    if (!isRange(range)) report('invalid_range', ['dependencies', id], `${range} is not a semver range`);
  if (manifest.license === undefined) report('no_license', [], 'No license is named');
  if ((manifest.authors ?? []).length === 0) report('no_authors', [], 'No author is named');
  if ((manifest.domains ?? []).length === 0) report('no_domains', [], 'No domain is named');
  return findings;
}

function actionIdsOf({ actions = [] }: AtlasManifest): string[] {
  return actions.map((each) => each.action_id);
}

function lintDuplicates(manifest: AtlasManifest, report: Report) {
  const { policies = [], context_packs = [], capabilities = [] } = manifest;
  const twice = (code: LintCode, member: string, ids: readonly string[]) => {
    const seen = new Set<string>();
    for (const [at, id] of ids.entries()) {
      if (seen.has(id)) report(code, [member, at], `${id} is defined twice`);
      seen.add(id);
    }
  };
  const policyIds = policies.map((each) => each.policy_id);
  const packIds = context_packs.map((each) => each.pack_id);
  const capabilityIds = capabilities.map((each) => each.capability_id);
  twice('duplicate_action', 'actions', actionIdsOf(manifest));
  twice('duplicate_policy', 'policies', policyIds);
  twice('duplicate_pack', 'context_packs', packIds);
  twice('duplicate_capability', 'capabilities', capabilityIds);
}

function lintCapabilities(manifest: AtlasManifest, report: Report) {
  const actionIds = new Set(actionIdsOf(manifest));
  const packIds = new Set((manifest.context_packs ?? []).map((each) => each.pack_id));
  for (const [at, { capability_id, actions = [], context_packs = [] }] of (
    manifest.capabilities ?? []
  ).entries()) {
    for (const [index, id] of actions.entries()) {
      if (!actionIds.has(id))
        report(
          'unknown_action',
          ['capabilities', at, 'actions', index],
          `${id} is not defined: ${suggestion(id, [...actionIds])}`,
        );
    }
    for (const [index, id] of context_packs.entries()) {
      if (!packIds.has(id))
        report(
          'unknown_pack',
          ['capabilities', at, 'context_packs', index],
          `${id} is not defined: ${suggestion(id, [...packIds])}`,
        );
    }
    if (actions.length === 0)
      report('empty_capability', ['capabilities', at], `${capability_id} has no actions`);
  }
}

function lintPacks(manifest: AtlasManifest, { files }: LintFacts, report: Report) {
  for (const [at, pack] of (manifest.context_packs ?? []).entries()) {
    lintConditions(pack.conditions, { manifest, path: ['context_packs', at], report });
    if (pack.files.length === 0) report('empty_pack', ['context_packs', at], `${pack.pack_id} has no files`);
    for (const [index, file] of pack.files.entries()) {
      const path = ['context_packs', at, 'files', index];
      const problem = pathProblem(file);
      if (problem) report('path_escape', path, `${file} ${problem}`);
      else if (files && !filePaths(file).some((each) => files.has(each)))
        report('missing_file', path, `${file} is missing, so the pack lacks that block`);
    }
  }
}

const RATE_LIMIT = ['max_calls', 'window_seconds'];

function lintActions(manifest: AtlasManifest, facts: LintFacts, report: Report) {
  for (const [at, action] of (manifest.actions ?? []).entries()) {
    for (const member of ['parameters_schema', 'returns_schema'] as const) {
      const schema = action[member];
      const problem = schema && facts.schemaProblem?.(schema);
      if (problem) report('invalid_parameters_schema', ['actions', at, member], problem);
      for (const { path, message } of unknownKeywords(schema ?? {}))
        report('unknown_keyword', ['actions', at, member, ...path], message);
    }
    for (const member of Object.keys(action.rate_limit ?? {})) {
      if (RATE_LIMIT.includes(member)) continue;
      const message = `nothing reads ${member}: ${suggestion(member, RATE_LIMIT)}`;
      report('unknown_member', ['actions', at, 'rate_limit', member], message);
    }
    const { max_calls: calls, window_seconds: seconds } = action.rate_limit ?? {};
    if (action.rate_limit && (calls === undefined || seconds === undefined)) {
      const path = ['actions', at, 'rate_limit'];
      report('half_rate_limit', path, 'max_calls and window_seconds only work together');
    }
    if (action.executor === undefined)
      report('no_executor', ['actions', at], `${action.action_id} names no executor`);
  }
}
