import { canonicalAppendixB } from '../../../kernel/json/canonical/appendix-b.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { findApproval } from '../approvals/ask.ts';
import { statusAt } from '../approvals/rules.ts';
import { type Approval, selectRefusal } from '../approvals/store.ts';
import { type Admission, admitExecution } from '../execution/admit.ts';
import { ranAnswer } from '../execution/answer.ts';
import { finishExecution } from '../execution/store.ts';
import type { GovernanceDeps } from '../ports.ts';
import type { CarpResolution } from '../resolution/schema.ts';
import { type Asker, askerOf } from './envelope.ts';
import type { Permission, PermissionQuestion } from './schema.ts';
import { allowed, denied, needsPerson, refusedByPerson, runByBaton, unknownAction } from './words.ts';

/**
 * Answers "may I do this?". It is the first half of an execution, with its rules, limits and traces; the second half is
 * the agent's own, so that nothing is known of the outcome.
 */
export async function askPermission(
  deps: GovernanceDeps,
  principal: Principal,
  question: PermissionQuestion,
  parameters: JsonObject,
  signal: AbortSignal,
): Promise<Permission> {
  const { action: actionId, wait = 0 } = question;
  const asker = await askerOf(deps, principal, question, `Asks whether it may run ${actionId}`);
  const first = await answerNow(deps, principal, asker, actionId, parameters);
  if (first.decision !== 'needs_person' || wait === 0 || first.approvals.length === 0) return first;
  const ids = first.approvals.map(({ approval_id: id }) => id);
  const decided = await untilDecided(deps, asker.session.projectId, ids, wait, signal);
  return decided ? answerNow(deps, principal, asker, actionId, parameters) : first;
}

async function answerNow(
  deps: GovernanceDeps,
  principal: Principal,
  asker: Asker,
  actionId: string,
  parameters: JsonObject,
): Promise<Permission> {
  const resolution = await asker.resolve();
  const refused = refusalOf(resolution, actionId);
  if (refused) return refused;
  const { projectId, sessionId } = asker.session;
  const { action, refusal } = await deps.db.read(async (reader) => ({
    action: (await deps.sets.load(reader, projectId, undefined)).set.action(actionId)?.action,
    refusal: await selectRefusal(
      reader,
      deps.payloads,
      { sessionId, actionId, parametersHash: deps.hasher.hex(canonicalAppendixB(parameters)) },
      deps.clock.now(),
    ),
  }));
  if (refusal) return refusedByPerson(actionId, refusal);
  const limits = limitsOn(resolution, actionId);
  if (action?.executor !== undefined) {
    const offered = resolution.allowed_actions.find((each) => each.action_id === actionId);
    return runByBaton(actionId, offered?.requires_confirmation ?? false, limits);
  }
  const request = {
    ...asker.envelope('execute'),
    execution: {
      resolution_id: resolution.resolution_id,
      action_id: actionId,
      parameters: toPlain(parameters) as Record<string, unknown>,
    },
  };
  const admission = await deps.db.write(async (uow) => {
    const made = await admitExecution(uow, deps, principal, { request, parameters });
    if (made.kind === 'run') {
      const { execution, session } = made.accepted;
      const now = deps.clock.now();
      const unknown = {
        ok: false,
        code: 'OUTCOME_UNKNOWN',
        message: 'The agent runs the action itself.',
      } as const;
      const answer = ranAnswer({ ...execution, traceId: session.traceId, now }, unknown);
      await finishExecution(uow, deps.payloads, execution.executionId, {
        state: 'outcome_unknown',
        at: now,
        response: JSON.stringify(answer),
      });
    }
    return made;
  });
  return answerOf(deps, admission, actionId, limits);
}

function refusalOf(resolution: CarpResolution, actionId: string): Permission | undefined {
  const { allowed_actions: offered, denied_actions: refused } = resolution;
  if (offered.some((each) => each.action_id === actionId)) return undefined;
  const found = refused.find((each) => each.action_id === actionId);
  if (found) return denied(actionId, found.reason, found.policy_id ?? null);
  return unknownAction(
    actionId,
    offered.map((each) => each.action_id),
  );
}

function limitsOn({ constraints }: CarpResolution, actionId: string): Permission['limits'] {
  return constraints
    .filter(({ type }) => type !== 'require_approval')
    .filter(({ parameters }) => (parameters?.action_ids as string[] | undefined)?.includes(actionId))
    .map(({ constraint_id: rule, type, parameters }) => {
      const { action_ids: _, ...rest } = parameters ?? {};
      return { rule, type, ...rest };
    });
}

async function answerOf(
  deps: GovernanceDeps,
  admission: Admission,
  actionId: string,
  limits: Permission['limits'],
): Promise<Permission> {
  if (admission.kind === 'refused') throw admission.error;
  if (admission.kind === 'run') return allowed(actionId, limits);
  const { status, error } = admission.body;
  const details = error?.details ?? {};
  if (status === 'pending_approval') {
    const waiting = details.approvals as { readonly approval_id: string }[];
    const approvals: Approval[] = [];
    for (const { approval_id: id } of waiting) {
      approvals.push(await deps.db.read((reader) => findApproval(reader, deps, id)));
    }
    return needsPerson(actionId, approvals, limits);
  }
  return denied(
    actionId,
    String(details.reason ?? error?.message ?? ''),
    (details.policy_id as string | undefined) ?? null,
    admission.retryAfter,
  );
}

/** True as soon as one of them is decided: a refusal settles the call, whatever the others say. */
async function untilDecided(
  deps: GovernanceDeps,
  projectId: string,
  approvalIds: readonly string[],
  seconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, feed, clock } = deps;
  const isSettled = async () => {
    const found = await db.read(async (reader) => {
      const all: Approval[] = [];
      for (const id of approvalIds) all.push(await findApproval(reader, deps, id));
      return all;
    });
    const states = found.map((each) => statusAt(each, clock.now()));
    return (
      states.some((state) => state !== 'pending' && state !== 'approved') ||
      states.every((state) => state === 'approved')
    );
  };
  const stop = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const { next: after } = await feed.newest({ projectId, limit: 1 });
  if (await isSettled()) return true;
  for await (const _ of feed.follow({ projectId, types: ['inbox.*'], after, signal: stop })) {
    if (await isSettled()) return true;
  }
  return false;
}
