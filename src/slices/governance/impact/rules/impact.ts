import type { Micros } from '../../../../kernel/clock.ts';
import { toPlain } from '../../../../kernel/json/plain.ts';
import type { Atlas } from '../../atlases/rules/atlas.ts';
import type { LoadedAtlas, PolicySet } from '../../policies/rules/compile.ts';
import { decide } from '../../policies/rules/decide.ts';
import { decisionInputOf } from '../../resolution/rules/input.ts';
import { inputOfRecord, policySets, setKey } from '../../traces/rules/replay.ts';
import type { DecidingAtlas, RecordedInput } from '../../traces/schema.ts';
import type { ChangedDecision, Impact, RecordedCall, SkipReason } from '../schema.ts';
import { type CallOnRecord, createSide, type ImpactVerdict, instantOf } from './side.ts';

export interface ImpactQuestion {
  readonly projectId: string;
  readonly next: Atlas;
  /** Its rules would apply to every request of the project. */
  readonly guardrail?: boolean | undefined;
  /** Of one session alone. Calls of others still count against limits. */
  readonly sessionId?: string | undefined;
  /** Calls before this instant only fill the counters. */
  readonly from?: Micros | undefined;
  /** How many changes are listed; all are counted. */
  readonly listed?: number | undefined;
}

export interface Recorded {
  readonly inputs: readonly RecordedInput[];
  /** In the order in which they were made. */
  readonly calls: readonly CallOnRecord[];
}

type Measured = Omit<Impact, 'since' | 'until'>;

/** Decides recorded requests and calls again with a new Atlas in place of the old one, and counts what would change. */
export function measureImpact(
  { inputs, calls }: Recorded,
  atlasByDigest: (digest: string) => Atlas | undefined,
  question: ImpactQuestion,
): Measured {
  const { next, sessionId, from = Number.NEGATIVE_INFINITY } = question;
  const tally = createTally(question.listed ?? 100);
  const sets = setsOf(atlasByDigest, question);
  // Calls come first: those that were made say more than actions that were offered.
  const [before, after] = [createSide(question.projectId), createSide(question.projectId)];
  for (const group of groupsOf(calls)) {
    const [{ call: first }] = group;
    const compared = instantOf(first) >= from && (sessionId === undefined || first.session_id === sessionId);
    const pair = sets(first.atlases);
    if (pair === 'missing') {
      if (compared) for (const _ of group) tally.left(pair);
      continue;
    }
    // Those that the Atlas has no say in may still spend what others are counted by.
    const { old, fresh } = pair === 'unconcerned' ? unchanged(first.atlases) : pair;
    const was = before.judge(old, group);
    const is = after.judge(fresh, group);
    if (!compared) continue;
    for (const [at, { call }] of group.entries()) {
      if (pair === 'unconcerned') tally.left(pair);
      else if (was[at]?.effect !== call.decision.effect) tally.skip('not_reproduced');
      else tally.call(call, was[at] ?? null, is[at] ?? null);
    }
  }
  for (const input of inputs) {
    if (sessionId !== undefined && input.session_id !== sessionId) continue;
    const pair = sets(input.atlases);
    if (pair === 'missing' || pair === 'unconcerned') {
      tally.left(pair);
      continue;
    }
    tally.request(input.session_id);
    compareOffers(input, pair, tally);
  }
  return { atlas_id: next.manifest.atlas_id, version: next.manifest.version, ...tally.result() };

  function unchanged(atlases: readonly DecidingAtlas[]) {
    const set = sets.as(atlases);
    return { old: set, fresh: set };
  }
}

/** What each of a resolution's actions was, and would be, without parameters. */
function compareOffers(input: RecordedInput, { old, fresh }: SetPair, tally: Tally): void {
  const asked = decisionInputOf(inputOfRecord(input));
  const verdictOn = (set: PolicySet, actionId: string): ImpactVerdict => {
    const action = set.action(actionId);
    if (!action) return null;
    const { effect, policyId } = decide(action, asked);
    return { effect, policy_id: policyId };
  };
  for (const actionId of new Set([...old.actionIds, ...fresh.actionIds])) {
    tally.offer(input, actionId, verdictOn(old, actionId), verdictOn(fresh, actionId));
  }
}

/** Steps that were judged together, in order. */
function* groupsOf(calls: readonly CallOnRecord[]): Generator<[CallOnRecord, ...CallOnRecord[]]> {
  let group: CallOnRecord[] = [];
  for (const each of calls) {
    if (group.length > 0 && group[0]?.call.group_id !== each.call.group_id) {
      yield group as [CallOnRecord, ...CallOnRecord[]];
      group = [];
    }
    group.push(each);
  }
  if (group.length > 0) yield group as [CallOnRecord, ...CallOnRecord[]];
}

interface SetPair {
  readonly old: PolicySet;
  readonly fresh: PolicySet;
}

/** The policies that decided, and those that would. */
function setsOf(
  atlasByDigest: (digest: string) => Atlas | undefined,
  { next, guardrail }: Pick<ImpactQuestion, 'next' | 'guardrail'>,
) {
  const [before, after] = [policySets(), policySets()];
  const nextId = next.manifest.atlas_id;
  const loadsOf = (atlases: readonly DecidingAtlas[], replace: boolean): LoadedAtlas[] =>
    atlases.map(({ atlas_id, digest, mode, rules_only: rulesOnly, guardrail: held }) => ({
      atlas: replace && atlas_id === nextId ? next : (atlasByDigest(digest) as Atlas),
      mode,
      rulesOnly,
      guardrail: held ?? (atlas_id === nextId && replace && guardrail),
    }));
  const as = (atlases: readonly DecidingAtlas[]) =>
    before(setKey({ atlases }), () => loadsOf(atlases, false));
  const pairOf = (atlases: readonly DecidingAtlas[]): SetPair | 'missing' | 'unconcerned' => {
    if (atlases.some(({ digest }) => !atlasByDigest(digest))) return 'missing';
    const present = atlases.some(({ atlas_id }) => atlas_id === nextId);
    if (!present && !guardrail) return 'unconcerned';
    const added: LoadedAtlas[] = present
      ? []
      : [{ atlas: next, mode: 'enforce', rulesOnly: true, guardrail: true }];
    const fresh = after(setKey({ atlases }), () => [...loadsOf(atlases, true), ...added]);
    return { old: as(atlases), fresh };
  };
  return Object.assign(pairOf, { as });
}

type Tally = ReturnType<typeof createTally>;

function createTally(listed: number) {
  const changed: ChangedDecision[] = [];
  const sessions = new Set<string>();
  const skips = new Map<SkipReason, number>();
  const summary = new Map<string, Impact['summary'][number]>();
  const count = { requests: 0, calls: 0, decisions: 0, unconcerned: 0, changed_count: 0 };

  function note(change: ChangedDecision): void {
    count.changed_count += 1;
    const [before, after] = [change.before?.effect ?? 'none', change.after?.effect ?? 'none'];
    const key = JSON.stringify([change.action_id, before, after]);
    const line = summary.get(key) ?? { action_id: change.action_id, before, after, calls: 0, offers: 0 };
    if (change.kind === 'call') line.calls += 1;
    else line.offers += 1;
    summary.set(key, line);
    if (changed.length < listed) changed.push(change);
  }

  const skip = (reason: SkipReason) => skips.set(reason, (skips.get(reason) ?? 0) + 1);
  return {
    skip,
    left(how: 'missing' | 'unconcerned'): void {
      if (how === 'missing') skip('atlas_missing');
      else count.unconcerned += 1;
    },
    request(sessionId: string): void {
      count.requests += 1;
      sessions.add(sessionId);
    },
    offer(input: RecordedInput, actionId: string, before: ImpactVerdict, after: ImpactVerdict): void {
      count.decisions += 1;
      if (before?.effect === after?.effect) return;
      const { session_id, request_id, agent_id, decided_at } = input;
      note({
        kind: 'offer',
        session_id,
        request_id,
        agent_id,
        action_id: actionId,
        decided_at,
        before,
        after,
      });
    },
    call(call: RecordedCall, before: ImpactVerdict, after: ImpactVerdict): void {
      count.calls += 1;
      count.decisions += 1;
      sessions.add(call.session_id);
      if (before?.effect === after?.effect) return;
      const { session_id, request_id, agent_id, action_id, decided_at } = call;
      const parameters = toPlain(call.parameters) as Record<string, unknown>;
      note({
        kind: 'call',
        session_id,
        request_id,
        agent_id,
        action_id,
        decided_at,
        parameters,
        before,
        after,
      });
    },
    result: () => ({
      sessions: sessions.size,
      ...count,
      changed,
      summary: [...summary.values()].sort((a, b) => b.calls - a.calls || b.offers - a.offers),
      skipped: [...skips.values()].reduce((sum, each) => sum + each, 0),
      skips: [...skips].map(([reason, number]) => ({ reason, count: number })),
    }),
  };
}
