import { parseInstant } from '../../../../kernel/instant.ts';
import { asRecord, isNonBlank, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';

/** Every event type that a log may contain. This runner writes about twenty of them and reads them all. */
const EVENT_TYPES: ReadonlySet<string> = new Set([
  'run_started',
  'phase_entered',
  'intents_migrated',
  'intents_superseded',
  'intent_retired_by_phase_advance',
  'turn_dispatched',
  'turn_accepted',
  'turn_rejected',
  'turn_conflicted',
  'conflict_resolved',
  'acceptance_failed',
  'turn_reissued',
  'turn_stalled',
  'turn_start_failed',
  'runtime_spawn_failed',
  'stdout_attach_failed',
  'turn_checkpointed',
  'coordinator_retry',
  'coordinator_retry_projection_warning',
  'run_blocked',
  'run_completed',
  'escalation_raised',
  'escalation_resolved',
  'gate_pending',
  'gate_approved',
  'gate_failed',
  'phase_cleanup',
  'budget_exceeded_warn',
  'human_escalation_raised',
  'human_escalation_resolved',
  'dispatch_progress',
  'session_continuation',
  'auto_retried_ghost',
  'ghost_retry_exhausted',
  'auto_retried_productive_timeout',
  'productive_timeout_retry_exhausted',
  'retained_claude_auth_escalation_reclassified',
  'state_reconciled_operator_commits',
  'operator_commit_reconcile_refused',
  'charter_materialization_required',
  'artifact_type_auto_normalized',
  'staged_result_auto_normalized',
]);

const TURN_EVENTS: ReadonlySet<string> = new Set(['turn_dispatched', 'turn_accepted', 'turn_rejected']);

export function eventFaults(event: unknown): readonly string[] {
  if (!isRecord(event)) return ['An event is a JSON object.'];
  const faults: string[] = [];
  if (!isNonBlank(event.event_id)) faults.push('event_id is missing.');
  if (!isString(event.event_type) || !EVENT_TYPES.has(event.event_type)) {
    faults.push(`event_type ${JSON.stringify(event.event_type) ?? '(none)'} is unknown.`);
  }
  if (instantOf(event.timestamp) === undefined) faults.push('timestamp is not an RFC 3339 timestamp.');
  if (
    isString(event.event_type) &&
    TURN_EVENTS.has(event.event_type) &&
    !isNonBlank(asRecord(event.turn).turn_id)
  ) {
    faults.push(`${event.event_type} needs turn.turn_id.`);
  }
  return faults;
}

function instantOf(timestamp: unknown): number | undefined {
  return isString(timestamp) ? parseInstant(timestamp)?.micros : undefined;
}

/** What is wrong with the order of events. A log spans several runs, so each run is checked separately. */
export function orderingFaults(events: readonly unknown[]): readonly string[] {
  const runs = new Map<unknown, LooseRecord[]>();
  for (const raw of events) {
    const event = asRecord(raw);
    const timeline = runs.get(event.run_id);
    if (timeline === undefined) runs.set(event.run_id, [event]);
    else timeline.push(event);
  }
  return [...runs.values()].flatMap(timelineFaults);
}

function timelineFaults(events: readonly LooseRecord[]): string[] {
  const faults: string[] = [];
  if (events[0]?.event_type !== 'run_started') faults.push('The timeline does not begin with run_started.');
  const end = events.findIndex((event) => event.event_type === 'run_completed');
  if (end >= 0 && end < events.length - 1) faults.push('Events follow run_completed.');
  const dispatched = new Set<unknown>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const turnId = asRecord(event.turn).turn_id;
    if (event.event_type === 'turn_dispatched') dispatched.add(turnId);
    if (event.event_type === 'turn_accepted' && !(isString(turnId) && dispatched.has(turnId))) {
      faults.push(`Turn ${String(turnId)} was accepted before it was dispatched.`);
    }
    const at = instantOf(event.timestamp);
    if (at === undefined || at < latest) faults.push(`The time of ${String(event.event_id)} goes backwards.`);
    latest = Math.max(latest, at ?? latest);
  }
  return faults;
}
