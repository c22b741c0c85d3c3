/** A tool call decided before it runs. */
import { formatMicros } from '../../../kernel/instant.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import type { Reply } from '../clients/event.ts';
import type { Step } from '../clients/steps.ts';
import type { OpenSession } from '../live/open-session.ts';
import type { AgentsPorts, CallJudgement } from '../ports.ts';
import { type Decision, insertDecision } from './store.ts';
import { denialText, questionText, type RulesFile, refusedText, shownStep, waitingText } from './wording.ts';

export interface CallToDecide {
  readonly principal: Principal;
  readonly open: OpenSession;
  readonly tool: string;
  readonly callKey: string;
  readonly steps: readonly Step[];
  /** Whether the client itself asks the person, and somebody is there. */
  readonly clientAsks: boolean;
  readonly waitSeconds: number;
  readonly rules: RulesFile | undefined;
  readonly signal: AbortSignal;
}

const POLL_MILLIS = 400;

/** Inside the unit that opened the session, so that most calls are one commit. */
export async function judge(
  uow: UnitOfWork,
  deps: AgentsPorts,
  call: Pick<CallToDecide, 'principal' | 'open' | 'tool' | 'callKey' | 'steps' | 'clientAsks'>,
): Promise<CallJudgement> {
  const { session } = call.open;
  const judgement = await deps.judgeCall(uow, call.principal, {
    session,
    goal: `${call.tool}: ${deps.redact(call.steps.slice(0, 3).map(shownStep).join('; '))}`,
    steps: call.steps.map(({ action, parameters }) => ({
      actionId: action,
      parameters: fromPlain(parameters) as JsonObject,
    })),
    clientAsks: call.clientAsks,
  });
  const now = deps.clock.now();
  for (const step of judgement.steps) {
    if (step.verdict === 'allow') continue;
    const decision: Decision = {
      decisionId: deps.ids(),
      projectId: session.projectId,
      sessionId: session.sessionId,
      callKey: call.callKey,
      at: formatMicros(now),
      atMicros: now,
      tool: call.tool,
      actionId: step.actionId,
      effect: step.effect,
      verdict: step.verdict,
      policyId: step.policyId,
      atlasId: step.atlas.id,
      atlasVersion: step.atlas.version,
      reason: step.reason,
      shown: deps.redact(shownStep({ action: step.actionId as Step['action'], parameters: step.parameters })),
      askedIn:
        step.effect !== 'ask' || judgement.effect !== 'ask'
          ? null
          : judgement.items.length > 0
            ? 'inbox'
            : 'client',
      ran: null,
    };
    await insertDecision(uow, decision);
  }
  return judgement;
}

/** Outside any unit: waits for people where it has to. */
export async function settleCall(
  deps: AgentsPorts,
  call: CallToDecide,
  first: CallJudgement,
): Promise<Reply> {
  if (first.effect === 'allow') return { kind: 'silence' };
  if (first.effect === 'deny') return { kind: 'deny', reason: denialText(first.steps, call.rules) };
  if (first.items.length === 0) return { kind: 'ask', reason: questionText(first.steps, call.rules) };
  const answered = await waitFor(deps, first.items, call);
  if (answered.refused)
    return { kind: 'deny', reason: refusedText(answered.refused.item, answered.refused.note) };
  if (!answered.all) return { kind: 'deny', reason: waitingText(first.items) };
  const again = await deps.db.write((uow) => judge(uow, deps, call));
  if (again.effect === 'allow') return { kind: 'silence' };
  if (again.effect === 'deny') return { kind: 'deny', reason: denialText(again.steps, call.rules) };
  return { kind: 'deny', reason: waitingText(again.items) };
}

interface Answered {
  readonly all: boolean;
  readonly refused?: { readonly item: string; readonly note: string | null };
}

async function waitFor(deps: AgentsPorts, items: readonly string[], call: CallToDecide): Promise<Answered> {
  const until = performance.now() + call.waitSeconds * 1000;
  for (;;) {
    const found = await deps.db.read(async (reader) => {
      const each = [];
      for (const itemId of items) each.push(await deps.inbox.get(reader, itemId));
      return each;
    });
    const refused = found.find((item) => item?.decision?.decision === 'reject');
    if (refused)
      return { all: false, refused: { item: refused.itemId, note: refused.decision?.note ?? null } };
    if (found.every((item) => item !== undefined && item.state !== 'open')) return { all: true };
    const left = until - performance.now();
    if (left <= 0 || call.signal.aborted) return { all: false };
    await pause(Math.min(POLL_MILLIS, left), call.signal);
  }
}

function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    signal.addEventListener('abort', done, { once: true });
  });
}
