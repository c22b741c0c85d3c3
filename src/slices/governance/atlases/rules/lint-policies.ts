import { globMatcher } from '../../../../kernel/glob.ts';
import { nearest, suggestion } from '../../../../kernel/nearest.ts';
import { knownParameters, readPolicyRule, unknownParameters } from '../../policies/rules/parameters.ts';
import { lintPath, lintWhen, type PathFault } from '../../policies/rules/when/lint-when.ts';
import type { Action, AtlasManifest, Policy } from '../schema.ts';
import type { Report } from './lint.ts';
import { lintConditions } from './lint-conditions.ts';

/** A rule that loads is a rule that holds: what it names must exist, and what it tests must be possible. */
export function lintPolicies(manifest: AtlasManifest, report: Report): void {
  const { policies = [], actions = [] } = manifest;
  for (const [at, policy] of policies.entries()) {
    lintParameters(policy, at, report);
    lintConditions(policy.conditions, { manifest, path: ['policies', at], report });
    lintGlobs(policy, at, actions, report);
    lintPaths(policy, at, actions, report);
  }
  if (policies.length === 0 && actions.length > 0)
    report('no_policies', [], 'No policy allows anything, so every action is denied');
}

function lintParameters(policy: Policy, at: number, report: Report): void {
  for (const { member, message } of readPolicyRule(policy, { strict: true }).faults) {
    const path = ['policies', at, 'parameters', ...(member === '' ? [] : member.split('.'))];
    const about = member === '' ? '' : `${member} `;
    report('policy_parameters', path, `${policy.policy_id}: ${about}${message}`);
  }
  for (const member of unknownParameters(policy)) {
    const hint = suggestion(member, knownParameters(policy.type));
    const message = `${policy.policy_id}: a policy of type ${policy.type} does not read ${member}; ${hint}`;
    report('unknown_parameter', ['policies', at, 'parameters', member], message);
  }
}

/** A glob that fits nothing here may mean another Atlas's actions, so it is doubtful and not wrong. */
function lintGlobs(policy: Policy, at: number, actions: readonly Action[], report: Report): void {
  const ids = actions.map(({ action_id: id }) => id);
  const globs = policy.actions ?? ['*'];
  if (globs.length === 0)
    report('never_holds', ['policies', at, 'actions'], 'actions is empty, so nothing fits');
  for (const [index, glob] of globs.entries()) {
    const path = ['policies', at, ...(policy.actions ? ['actions', index] : [])];
    if (!/^[a-z0-9.*?]+$/.test(glob)) report('glob_characters', path, `${glob} can match no action id`);
    if (ids.some(globMatcher(glob))) continue;
    const meant = nearest(glob, ids);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    report(
      'policy_matches_nothing',
      path,
      `${policy.policy_id}: ${glob} matches no action of this Atlas${hint}`,
    );
  }
}

/** Only actions of this Atlas are known here; a rule that is about others' is checked by those who load both. */
function lintPaths(policy: Policy, at: number, actions: readonly Action[], report: Report): void {
  const matchers = (policy.actions ?? ['*']).map(globMatcher);
  const schemas = actions
    .filter(({ action_id: id }) => matchers.some((matches) => matches(id)))
    .map(({ parameters_schema: schema }) => schema ?? {});
  const { rule } = readPolicyRule(policy, { strict: true });
  const faults: readonly [string, readonly PathFault[]][] = [
    ['when', rule.when ? lintWhen(rule.when, schemas) : []],
    ['cost_field', rule.budget?.costField === undefined ? [] : lintPath(rule.budget.costField, schemas)],
    ['per', [rule.rate?.per ?? rule.budget?.per ?? []].flat().flatMap((path) => lintPath(path, schemas))],
    ['may_differ', (rule.approval?.mayDiffer ?? []).flatMap((path) => lintPath(path, schemas))],
  ];
  for (const [member, found] of faults) {
    for (const { code, path, message } of found) {
      const pointer = ['policies', at, 'parameters', member, ...(member === 'when' ? [path] : [])];
      report(code, pointer, `${policy.policy_id}: ${message}`);
    }
  }
}
