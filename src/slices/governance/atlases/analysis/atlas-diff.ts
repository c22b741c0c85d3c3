import { gt, diff as semverDiff } from 'semver';
import { canonicalJcs } from '../../../../kernel/json/canonical/jcs.ts';
import { isRecord } from '../../../../kernel/json/loose.ts';
import { fromPlain } from '../../../../kernel/json/plain.ts';
import {
  type CompiledAction,
  compilePolicies,
  PHASES,
  type PolicySet,
} from '../../policies/rules/compile.ts';
import { decide } from '../../policies/rules/decide.ts';
import type { Atlas } from '../rules/atlas.ts';
import type { Action } from '../schema.ts';
import { type Counterexample, counterexample, inputSpace } from './input-space.ts';

export type Bump = 'none' | 'patch' | 'minor' | 'major';

export interface AtlasChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly what: 'action' | 'policy' | 'capability' | 'context_pack' | 'context_file' | 'manifest';
  readonly id: string;
  readonly needs: Bump;
  readonly message: string;
}

export interface AtlasDiff {
  readonly from: { readonly version: string; readonly digest: string };
  readonly to: { readonly version: string; readonly digest: string };
  readonly changes: readonly AtlasChange[];
  readonly decisions: readonly DecisionChange[];
  readonly complete: boolean;
  /** The version step that section 5.6 requires, and whether the new version makes it. */
  readonly required_bump: Bump;
  readonly version_ok: boolean;
}

const ORDER: readonly Bump[] = ['none', 'patch', 'minor', 'major'];

export function diffAtlases(from: Atlas, to: Atlas): AtlasDiff {
  const compiled = (atlas: Atlas) => compilePolicies([{ atlas, mode: 'enforce' }]);
  const { changes: decisions, complete } = diffDecisions(compiled(from), compiled(to));
  const minor = (): Bump => 'minor';
  const a = from.manifest;
  const b = to.manifest;
  const changes = [
    ...members('action', a.actions, b.actions, (each) => each.action_id, actionBump),
    ...members('policy', a.policies, b.policies, (each) => each.policy_id),
    ...members('capability', a.capabilities, b.capabilities, (each) => each.capability_id, minor),
    ...members('context_pack', a.context_packs, b.context_packs, (each) => each.pack_id),
    ...members('context_file', [...from.files], [...to.files], ([path]) => path),
    ...manifestChange(from, to),
  ];
  const needed = [
    ...changes.map(({ needs }) => needs),
    ...decisions.map((change): Bump => (isStricter(change) ? 'major' : 'minor')),
  ];
  const required = needed.reduce<Bump>(
    (most, bump) => (ORDER.indexOf(bump) > ORDER.indexOf(most) ? bump : most),
    'none',
  );
  return {
    from: { version: a.version, digest: from.digest },
    to: { version: b.version, digest: to.digest },
    changes,
    decisions,
    complete,
    required_bump: required,
    version_ok: ORDER.indexOf(bumpOf(a.version, b.version)) >= ORDER.indexOf(required),
  };
}

/** Before 1.0.0 a minor step may be breaking. */
function bumpOf(from: string, to: string): Bump {
  if (!gt(to, from)) return 'none';
  const step = semverDiff(from, to)?.replace('pre', '') as 'major' | 'minor' | 'patch' | 'release';
  if (step === 'release') return 'patch';
  return step === 'minor' && from.startsWith('0.') ? 'major' : step;
}

function members<T>(
  what: AtlasChange['what'],
  before: readonly T[] | undefined,
  after: readonly T[] | undefined,
  idOf: (each: T) => string,
  bump: (before: T, after: T) => Bump = () => 'patch',
): AtlasChange[] {
  const old = new Map((before ?? []).map((each) => [idOf(each), each]));
  const fresh = new Map((after ?? []).map((each) => [idOf(each), each]));
  const breaking = what === 'action' || what === 'capability' || what === 'context_pack';
  const changes: AtlasChange[] = [];
  for (const [id, each] of old) {
    const now = fresh.get(id);
    if (now === undefined) {
      const needs = breaking ? 'major' : what === 'context_file' ? 'minor' : 'patch';
      changes.push({ kind: 'removed', what, id, needs, message: `${what} ${id} was removed` });
    } else if (text(each) !== text(now)) {
      const needs = bump(each, now);
      changes.push({ kind: 'changed', what, id, needs, message: changeInWords(what, id, each, now) });
    }
  }
  for (const id of fresh.keys()) {
    if (old.has(id)) continue;
    const needs = what === 'policy' ? 'patch' : 'minor';
    changes.push({ kind: 'added', what, id, needs, message: `${what} ${id} was added` });
  }
  return changes;
}

const MOST_CHANGES = 4;

/** `policy small: parameters.when.amount.lte 100 → 200`. */
function changeInWords(what: string, id: string, before: unknown, after: unknown): string {
  const changed = changedMembers(before, after);
  if (changed.length === 0 || typeof before !== 'object') return `${what} ${id} was changed`;
  const more = changed.length > MOST_CHANGES ? ` and ${changed.length - MOST_CHANGES} more` : '';
  return `${changed.slice(0, MOST_CHANGES).join(', ')}${more}`;
}

function changedMembers(before: unknown, after: unknown, path = ''): string[] {
  if (text(before) === text(after)) return [];
  if (!isRecord(before) || !isRecord(after)) {
    const show = (value: unknown) => (value === undefined ? 'none' : shortened(JSON.stringify(value)));
    return path === '' ? [] : [`${path} ${show(before)} → ${show(after)}`];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changedMembers(before[key], after[key], path === '' ? key : `${path}.${key}`),
  );
}

function shortened(json: string): string {
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}

/** Calls of the old action must stay valid for the new one. */
function actionBump(before: Action, after: Action): Bump {
  if (text(before.returns_schema) !== text(after.returns_schema)) return 'major';
  if (text(before.parameters_schema) !== text(after.parameters_schema)) {
    return acceptsAll(before.parameters_schema ?? {}, after.parameters_schema ?? {}) ? 'minor' : 'major';
  }
  return before.risk_tier === after.risk_tier && before.idempotent === after.idempotent ? 'patch' : 'minor';
}

/** Recognises only the safe case: optional properties added, everything else unchanged. */
function acceptsAll(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): boolean {
  const { properties: oldProperties = {}, ...oldRest } = before as { properties?: Record<string, unknown> };
  const { properties: newProperties = {}, ...newRest } = after as { properties?: Record<string, unknown> };
  if (text(oldRest) !== text(newRest)) return false;
  return Object.entries(oldProperties).every(([name, schema]) => text(schema) === text(newProperties[name]));
}

function manifestChange(from: Atlas, to: Atlas): AtlasChange[] {
  const head = ({ manifest }: Atlas) => {
    const { actions, policies, capabilities, context_packs, version, ...rest } = manifest;
    return text(rest);
  };
  if (head(from) === head(to) && text(from.blocks) === text(to.blocks)) return [];
  return [
    {
      kind: 'changed',
      what: 'manifest',
      id: to.manifest.atlas_id,
      needs: 'patch',
      message: 'The manifest was changed',
    },
  ];
}

function text(value: unknown): string {
  return value === undefined ? '' : canonicalJcs(fromPlain(value));
}

export interface DecisionChange {
  readonly action_id: string;
  readonly before: { readonly effect: string; readonly policy_id: string };
  readonly after: { readonly effect: string; readonly policy_id: string };
  readonly counterexample: Counterexample;
}

const STRICTNESS: Readonly<Record<string, number>> = { allow: 0, require_approval: 1, deny: 2 };

function isStricter(change: DecisionChange): boolean {
  return (STRICTNESS[change.after.effect] ?? 0) > (STRICTNESS[change.before.effect] ?? 0);
}

/** One request for every way in which a decision on a common action changes. */
export function diffDecisions(
  before: PolicySet,
  after: PolicySet,
): { readonly changes: readonly DecisionChange[]; readonly complete: boolean } {
  const changes = new Map<string, DecisionChange>();
  let complete = true;
  for (const actionId of before.actionIds) {
    const old = before.action(actionId) as CompiledAction;
    const fresh = after.action(actionId);
    if (!fresh) continue;
    const policies = PHASES.flatMap((phase) => [...old.candidates[phase], ...fresh.candidates[phase]]);
    const space = inputSpace(policies, Math.min(old.tier, fresh.tier));
    complete &&= space.complete;
    for (const input of space.inputs) {
      const was = decide(old, input);
      const is = decide(fresh, input);
      const key = `${actionId} ${was.effect} ${is.effect}`;
      if (was.effect === is.effect || changes.has(key)) continue;
      changes.set(key, {
        action_id: actionId,
        before: { effect: was.effect, policy_id: was.policyId },
        after: { effect: is.effect, policy_id: is.policyId },
        counterexample: counterexample(actionId, input, (each) => {
          const [before, after] = [decide(old, each), decide(fresh, each)];
          return (
            before.policyId === was.policyId && before.effect === was.effect && after.effect === is.effect
          );
        }),
      });
    }
  }
  return { changes: [...changes.values()], complete };
}
