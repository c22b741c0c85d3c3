import { asList, isNonBlank, isRecord, isString, member } from '../../../../../kernel/json/loose.ts';
import { finalPhase, nextPhase, phasesOf, routeOf } from '../../../config/config.ts';
import type { Draft, Repair } from './normalize.ts';
import { isLegalNext, roleOf, type TurnContext } from './stage.ts';

const AFFIRMATIVE =
  /^\s*(approved?\b|ready (for|to)\b|sign(ed)?[ -]?off\b|ship( it)?\b|looks good\b|lgtm\b)/i;

/** Requests to move on that name the wrong thing but can only mean one. */
export const repairLifecycle: Repair = (draft, context, note) => {
  readGateAsPhase(draft, context, note);
  const authority = roleOf(context)?.write_authority;
  if (authority === 'authoritative') pullBackSkip(draft, context, note);
  if (authority === 'review_only') {
    readApprovalAsRequest(draft, context, note);
    turnForward(draft, context, note);
  }
};

function readGateAsPhase(draft: Draft, { config, state }: TurnContext, note: (what: string) => void): void {
  const request = draft.phase_transition_request;
  const gate = routeOf(config, state.phase)?.exit_gate;
  if (!isString(request) || request !== gate || phasesOf(config).includes(request)) return;
  note(`"${request}" is the gate of this phase, not a phase.`);
  requestForward(draft, { config, state });
}

function pullBackSkip(draft: Draft, { config, state }: TurnContext, note: (what: string) => void): void {
  const request = draft.phase_transition_request;
  const phases = phasesOf(config);
  const next = nextPhase(config, state.phase);
  if (!isString(request) || next === undefined) return;
  if (phases.indexOf(request) <= phases.indexOf(next)) return;
  draft.phase_transition_request = next;
  note(`"${request}" skips a phase; the next one is "${next}".`);
}

/**
 * A reviewer who says "ready" to a person asks for the gate. Inferred only where the gate itself asks a person, so
 * that no repair ever moves a run past somebody.
 */
function readApprovalAsRequest(draft: Draft, context: TurnContext, note: (what: string) => void): void {
  const { config, state } = context;
  const gate = member(config.gates, routeOf(config, state.phase)?.exit_gate ?? '');
  const open = asList(draft.objections).some(
    (objection) => isRecord(objection) && objection.severity === 'blocking',
  );
  if (gate?.requires_human_approval !== true || open || hasRequest(draft)) return;
  const affirmed =
    draft.status === 'needs_human' &&
    isString(draft.needs_human_reason) &&
    AFFIRMATIVE.test(draft.needs_human_reason);
  const handedOver = draft.status === 'completed' && draft.proposed_next_role === 'human';
  if (!affirmed && !handedOver) return;
  draft.status = 'completed';
  requestForward(draft, context);
  note(
    affirmed
      ? 'the reviewer affirms: this asks for the gate.'
      : 'handing to a person at a human gate asks for the gate.',
  );
}

function turnForward(draft: Draft, context: TurnContext, note: (what: string) => void): void {
  const { config, state } = context;
  const request = draft.phase_transition_request;
  const phases = phasesOf(config);
  const backward =
    isNonBlank(request) && phases.includes(request) && phases.indexOf(request) <= phases.indexOf(state.phase);
  if (backward) {
    requestForward(draft, context);
    note(`"${request}" does not lead forward; the request now does.`);
  }
  if (draft.run_completion_request === true && draft.proposed_next_role !== 'human') {
    draft.proposed_next_role = 'human';
    note('a reviewer who asks for completion hands to a person.');
  }
}

function requestForward(draft: Draft, { config, state }: Pick<TurnContext, 'config' | 'state'>): void {
  const last = state.phase === finalPhase(config);
  draft.phase_transition_request = last ? null : (nextPhase(config, state.phase) ?? null);
  if (last) draft.run_completion_request = true;
}

function hasRequest(draft: Draft): boolean {
  return isNonBlank(draft.phase_transition_request) || draft.run_completion_request === true;
}

export const repairNextRole: Repair = (draft, context, note) => {
  const missing = draft.proposed_next_role === undefined || draft.proposed_next_role === null;
  const illegal =
    draft.status === 'completed' &&
    isString(draft.proposed_next_role) &&
    !isLegalNext(context, draft.proposed_next_role);
  if (!missing && !illegal) return;
  const legal = pickNext(context);
  if (legal === undefined) return;
  note(
    missing
      ? `proposed_next_role was missing and is "${legal}".`
      : `"${String(draft.proposed_next_role)}" may not follow in this phase; "${legal}" does.`,
  );
  draft.proposed_next_role = legal;
};

function pickNext(context: TurnContext): string | undefined {
  const self = context.turn?.assigned_role;
  const allowed = routeOf(context.config, context.state.phase)?.allowed_next_roles ?? [];
  const legal = allowed.filter((role) => isLegalNext(context, role));
  return legal.find((role) => role !== self) ?? legal[0];
}
