/** What a person always approved, found in what they decided, with the rule that would do it for them. */
import { formatMicros } from '../../../kernel/instant.ts';
import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { groupBy } from '../../../spine/search/store/group-by.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { pathsIn } from '../approvals/highlights.ts';
import { type ApprovalKind, selectOfKind, selectOftenApproved } from '../approvals/kind-store.ts';
import type { Approval } from '../approvals/store.ts';
import type { Atlas } from '../atlases/rules/atlas.ts';
import type { LoadedSet } from '../atlases/sets.ts';
import { compilePolicies, type PolicySet } from '../policies/rules/compile.ts';
import { decide, type Verdict } from '../policies/rules/decide.ts';
import { tierRank } from '../policies/rules/tiers.ts';
import type { GovernanceDeps } from '../ports.ts';
import { factsFor } from '../resolution/known-facts.ts';
import { type DraftedRule, draftRule } from './rules/draft.ts';
import { mayLieWithin, type Region, regionOf, shapeOf } from './rules/region.ts';
import type { DraftedAnswer, StandingAnswer } from './schema.ts';

/** So many times without an exception. */
const ENOUGH = 20;
const DAYS = 90;
const DAY = 86_400_000_000;
const MOST_KINDS = 6;
/** The newest of one kind. Exceptions are looked for in all of them. */
const MOST_READ = 200;
const MOST_EXCEPTIONS = 200;

/** The calls were asked about, so their credentials had what they needed. */
const EVERY_SCOPE: ReadonlySet<string> = new Set(['*']);

interface Suggestion {
  readonly answer: StandingAnswer;
  readonly draft: DraftedRule;
  readonly replayed: DraftedAnswer['replayed'];
}

/** The same for the list and for a draft: a suggestion that no longer holds has no draft either. */
export async function suggestAnswers(
  reader: Reader,
  deps: GovernanceDeps,
  principal: Principal,
  projects: 'all' | readonly string[],
): Promise<Suggestion[]> {
  const since = deps.clock.now() - DAYS * DAY;
  const kinds = await selectOftenApproved(reader, {
    approver: principal.actor.id,
    since: formatMicros(since),
    atLeast: ENOUGH,
    projects,
    limit: MOST_KINDS,
  });
  const found: Suggestion[] = [];
  for (const kind of kinds) {
    // What is never made a rule where it is approved is not suggested as one.
    if (tierRank(kind.riskTier) >= tierRank('high')) continue;
    const suggestion = await suggestionOf(reader, deps, principal, kind, since);
    if (suggestion) found.push(suggestion);
  }
  return found;
}

async function suggestionOf(
  reader: Reader,
  deps: GovernanceDeps,
  { actor }: Principal,
  kind: ApprovalKind,
  since: number,
): Promise<Suggestion | undefined> {
  const loaded = await deps.sets.loadPresent(reader, kind.projectId, [kind.atlasId]);
  const load = loaded.loads.find(({ atlasId }) => atlasId === kind.atlasId);
  if (!load || load.mode === 'log_only') return undefined;
  const atlas = await deps.sets.content(reader, load.digest);
  const judge = await judgeFor(reader, deps, loaded, kind);
  const all = await selectOfKind(reader, deps.payloads, kind, { since, limit: MOST_READ });
  // Only what the version in force still asks, by this rule alone: what has a rule by now is not suggested again.
  const asked = all.filter((each) => isWhole(deps, each) && asksOnly(judge(loaded.set, each), kind.policyId));
  const alike = mostOfOneShape(asked);
  const mine = alike.filter((each) => isPlainYes(each) && each.approver === actor.id);
  if (mine.length < ENOUGH) return undefined;
  const action = atlas.manifest.actions?.find(({ action_id }) => action_id === kind.actionId);
  const policy = atlas.manifest.policies?.find(({ policy_id }) => policy_id === kind.policyId);
  const quorum = policy?.parameters?.quorum;
  if (!action || !policy || (typeof quorum === 'number' && quorum > 1)) return undefined;
  const calls = mine.map(({ parameters }) => parameters as JsonObject);
  const region = regionOf(
    calls,
    pathsIn(policy.parameters?.when),
    absentOf(action.parameters_schema, alike, asked),
  );
  if (!region) return undefined;
  if (await hasException(reader, deps, kind, since, region)) return undefined;
  const [newest, oldest] = [mine[0] as Approval, mine.at(-1) as Approval];
  const draft = draftRule(atlas.manifest, {
    ...kind,
    region,
    reason: `${actor.id} approved ${mine.length} of ${mine.length} like this, the last on ${(newest.decidedAt ?? '').slice(0, 10)}`,
  });
  const next = draft && checkedDraft(deps, draft);
  if (!draft || !next) return undefined;
  const fresh = replacedIn(loaded, await contentsOf(reader, deps, loaded), next);
  const after = (each: Approval) => judge(fresh, each).effect;
  if (!mine.every((each) => after(each) === 'allow')) return undefined;
  const waiting = asked.filter((each) => isWaiting(each, deps.clock.now()) && after(each) === 'allow');
  return {
    draft,
    answer: {
      id: idOf(deps, kind),
      project_id: kind.projectId,
      agent_id: kind.agentId,
      action_id: kind.actionId,
      atlas: { atlas_id: kind.atlasId, version: load.version },
      policy_id: kind.policyId,
      risk_tier: kind.riskTier,
      approved: mine.length,
      since: oldest.decidedAt ?? oldest.requestedAt,
      last_at: newest.decidedAt ?? newest.requestedAt,
      within: region.bounds.map(({ path, test }) => ({ path, test: { ...test } })),
      free: [...region.free],
      unseen: action.parameters_schema?.additionalProperties !== false,
      waiting: waiting.map(({ approvalId }) => approvalId),
    },
    replayed: asked
      .filter((each) => isDecided(each) || isWaiting(each, deps.clock.now()))
      .map((each) => ({
        approval_id: each.approvalId,
        decided_at: each.decidedAt,
        decided_by: each.approver,
        decision: decisionOf(each),
        parameters: toPlain(each.parameters) as Record<string, unknown>,
        after: after(each),
      })),
  };
}

/** Whether anybody refused or edited such a call. One of which something was removed may have been one. */
async function hasException(
  reader: Reader,
  deps: GovernanceDeps,
  kind: ApprovalKind,
  since: number,
  region: Region,
): Promise<boolean> {
  const asked = { since, limit: MOST_EXCEPTIONS, exceptions: true };
  const found = await selectOfKind(reader, deps.payloads, kind, asked);
  return (
    found.length >= MOST_EXCEPTIONS ||
    found.some((each) => !isWhole(deps, each) || mayLieWithin(region, each.parameters as JsonObject))
  );
}

/** As the call would be decided now, by what is kept of it: its agent, its risk and its parameters. */
async function judgeFor(
  reader: Reader,
  deps: GovernanceDeps,
  loaded: LoadedSet,
  { projectId, actionId, agentId, riskTier }: ApprovalKind,
): Promise<(set: PolicySet, approval: Approval) => Pick<Verdict, 'effect' | 'approvals'>> {
  const now = deps.clock.now();
  const facts = await factsFor(reader, deps, loaded, projectId, now);
  return (set, { parameters }) => {
    const action = set.action(actionId);
    if (!action) return { effect: 'deny', approvals: [] };
    return decide(action, { agentId, riskTier, context: {}, scopes: EVERY_SCOPE, now, facts, parameters });
  };
}

function asksOnly({ effect, approvals }: Pick<Verdict, 'effect' | 'approvals'>, policyId: string): boolean {
  return effect === 'require_approval' && approvals.length === 1 && approvals[0]?.policyId === policyId;
}

/** Something was removed from what is kept of the others: nobody can say what they were. */
function isWhole({ hasher }: GovernanceDeps, { parameters, parametersHash }: Approval): boolean {
  return parameters !== null && hasher.hex(canonicalAppendixB(parameters)) === parametersHash;
}

const isDecided = ({ status }: Approval) => status === 'approved' || status === 'rejected';
const isPlainYes = ({ status, edited }: Approval) => status === 'approved' && edited === null;
const isWaiting = ({ status, asked, expires }: Approval, now: number) =>
  status === 'pending' && asked !== null && expires > now;

function decisionOf(approval: Approval): DraftedAnswer['replayed'][number]['decision'] {
  if (!isDecided(approval)) return 'waiting';
  if (approval.status === 'rejected') return 'rejected';
  return approval.edited === null ? 'approved' : 'edited';
}

/** Calls with other parameters are of another kind, whatever they are called. */
function mostOfOneShape(approvals: readonly Approval[]): readonly Approval[] {
  const shapes = groupBy(approvals, ({ parameters }) => shapeOf(parameters as JsonObject));
  return [...shapes.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

/** Parameters that the action knows and none of these calls had: with one of them, it is another kind of call. */
function absentOf(
  schema: Record<string, unknown> | undefined,
  alike: readonly Approval[],
  all: readonly Approval[],
): string[] {
  const had = new Set(Object.keys(alike[0]?.parameters ?? {}));
  const known = [schema?.properties ?? {}, ...all.map(({ parameters }) => parameters ?? {})].flatMap((each) =>
    Object.keys(each as object),
  );
  return [...new Set(known)].filter((name) => !had.has(name) && !/[.*/@]/.test(name));
}

function checkedDraft(deps: GovernanceDeps, { manifest }: DraftedRule): Atlas | undefined {
  return deps.checkAtlas(fromPlain(manifest)).atlas;
}

async function contentsOf(reader: Reader, { sets }: GovernanceDeps, { loads }: LoadedSet): Promise<Atlas[]> {
  const contents: Atlas[] = [];
  for (const { digest } of loads) contents.push(await sets.content(reader, digest));
  return contents;
}

function replacedIn({ loads }: LoadedSet, contents: readonly Atlas[], next: Atlas): PolicySet {
  return compilePolicies(
    loads.map(({ atlasId, mode, rulesOnly, guardrail }, at) => ({
      atlas: atlasId === next.manifest.atlas_id ? next : (contents[at] as Atlas),
      mode,
      rulesOnly,
      guardrail,
    })),
  );
}

function idOf({ hasher }: GovernanceDeps, kind: ApprovalKind): string {
  const { projectId, atlasId, policyId, agentId, actionId, riskTier } = kind;
  const parts = [projectId, atlasId, policyId, agentId, actionId, riskTier];
  return `std_${hasher.hex(canonicalAppendixB(parts)).slice(0, 24)}`;
}
