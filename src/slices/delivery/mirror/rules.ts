import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { NewItem } from '../../../spine/inbox/inbox.ts';
import type { DecisionFact, DecisionKey, TurnPackage } from '../ports.ts';
import type { HistoryRow, RepoDecision, RunEvent } from '../records.ts';
import type { Decision, Objection } from '../turns/turn-result.ts';
import type { AttachedRepository } from './store.ts';

/** What an event of a run means to the rest of the product. Pure, so that catching up later has the same effect. */

export const GATE_ITEM = 'gate';
export const NEEDS_HUMAN_ITEM = 'needs_human';
export const ESCALATION_ITEM = 'escalation';

/** The actor of a run when no role is acting: it asks at gates, and acts there. */
export const ORCHESTRATOR: Actor = { id: 'role:orchestrator', type: 'agent' };

/** `turn_accepted` becomes `turn.accepted` in the journal. Ids only: texts stay in the repository. */
export function journalEntry(
  repository: AttachedRepository,
  event: RunEvent,
): { type: string; payload: JsonObject } {
  return {
    type: event.event_type.replace('_', '.'),
    payload: {
      repository_id: repository.repositoryId,
      event_id: event.event_id,
      run_id: event.run_id,
      phase: event.phase,
      status: event.status,
      turn_id: event.turn?.turn_id ?? null,
      role: event.turn?.role_id ?? null,
      occurred_at: event.timestamp,
    },
  };
}

export function authorOf(event: RunEvent): Actor {
  return event.turn === null ? ORCHESTRATOR : { id: `role:${event.turn.role_id}`, type: 'agent' };
}

/** The question that an event asks a person, if any. */
export function questionOf(
  repository: AttachedRepository,
  event: RunEvent,
  hasher: Hasher,
): NewItem | undefined {
  const kind = kindOf(event);
  if (kind === undefined || event.run_id === null) return undefined;
  const gate = String(event.payload.gate ?? '');
  const asked = {
    repository: repository.repositoryId,
    run: event.run_id,
    phase: event.phase,
    event: event.event_id,
  };
  return {
    kind,
    projectId: repository.projectId,
    requestedBy: authorOf(event),
    subject: { type: 'run', id: subjectId(repository, event.run_id) },
    digest: formatDigest(digestOf(hasher, 'jcs', fromPlain(asked))),
    rule: kind === GATE_ITEM ? `gate:${gate}` : String(event.payload.blocked_on ?? kind),
    title: titleOf(kind, event, gate),
    risk: event.payload.credentialed === true ? 'high' : 'medium',
    unblocks: [{ type: 'run', id: event.run_id }],
    edits: false,
  };
}

function kindOf(event: RunEvent): string | undefined {
  switch (event.event_type) {
    case 'gate_pending':
      return GATE_ITEM;
    case 'human_escalation_raised':
      return NEEDS_HUMAN_ITEM;
    case 'escalation_raised':
      return ESCALATION_ITEM;
    case 'run_blocked':
      return ENDED_BY_RESUMING.test(String(event.payload.blocked_on)) ? ESCALATION_ITEM : undefined;
    default:
      return undefined;
  }
}

/** Blocks that have no event of their own to ask about. A gate's hooks and actions are part of the gate's question. */
const ENDED_BY_RESUMING = /^(hook:(?!before_gate:)|policy:|budget:|timeout:(phase|run)$|non_progress$)/;

/** The kinds of question that an event settles, because somebody decided in the files. */
export function answeredBy(event: RunEvent): readonly string[] {
  switch (event.event_type) {
    case 'gate_approved':
    case 'gate_failed':
      return [GATE_ITEM];
    case 'escalation_resolved':
    case 'human_escalation_resolved':
      return [ESCALATION_ITEM, NEEDS_HUMAN_ITEM];
    case 'run_completed':
      return [GATE_ITEM, ESCALATION_ITEM, NEEDS_HUMAN_ITEM];
    default:
      return [];
  }
}

export function subjectId(repository: AttachedRepository, runId: string): string {
  return `${repository.repositoryId}/${runId}`;
}

function titleOf(kind: string, event: RunEvent, gate: string): string {
  if (kind === GATE_ITEM) {
    const to = event.payload.to;
    return to === null || to === undefined
      ? `Complete run ${event.run_id} (gate ${gate})`
      : `Enter ${String(to)} (gate ${gate})`;
  }
  if (kind === NEEDS_HUMAN_ITEM)
    return `${event.turn?.role_id ?? 'A role'} asks a person in run ${event.run_id}`;
  return `Run ${event.run_id} is stopped: ${String(event.payload.blocked_on ?? 'escalation')}`;
}

const TITLE_CHARACTERS = 200;

/** The package that an accepted turn leaves in its project. */
export function packageOf(repository: AttachedRepository, row: HistoryRow): TurnPackage {
  const title = [...`${row.role}: ${row.summary.split('\n')[0]}`];
  const decisions = (row.decisions ?? []) as readonly Decision[];
  const objections = (row.objections ?? []) as readonly Objection[];
  return {
    ...withoutWords(repository, row),
    title:
      title.length > TITLE_CHARACTERS ? `${title.slice(0, TITLE_CHARACTERS - 1).join('')}…` : title.join(''),
    description: row.summary,
    decisions_made: decisions.map(
      ({ id, statement, rationale }) => `${id}: ${statement}. Reason: ${rationale}`,
    ),
    open_questions: objections
      .filter(({ status }) => !status?.startsWith('resolved'))
      .map(({ id, statement }) => `${id}: ${statement}`),
    'x-verification': row.verification ?? { status: 'skipped' },
  };
}

/** The same package for a project that takes no secrets, when the turn's own words seem to hold one. */
export function withoutWords(repository: AttachedRepository, row: HistoryRow): TurnPackage {
  return {
    package_id: packageId(repository, row.turn_id),
    title: `${row.role} finished a turn in ${row.phase}`.slice(0, TITLE_CHARACTERS),
    created_at: row.accepted_at,
    tags: ['run', row.phase, row.role],
    deliverables: row.files_changed.map((path) => ({ path, type: /\.(\w+)$/.exec(path)?.[1] ?? 'file' })),
    'x-run': { run_id: row.run_id, turn_id: row.turn_id, phase: row.phase, status: row.status },
  };
}

function packageId(repository: AttachedRepository, turnId: string): string {
  return `${repository.repositoryId}.${turnId.replaceAll('/', '.')}`;
}

/** What one turn changes about the decisions that outlive a run: those that it ends, and those that it makes. */
export function factChanges(
  repository: AttachedRepository,
  event: RunEvent,
  decisions: readonly RepoDecision[],
): readonly ({ readonly retract: DecisionKey } | { readonly assert: DecisionFact })[] {
  const keyOf = (id: string) => ({
    subject: `decision/${repository.repositoryId}/${id}`,
    predicate: 'states',
  });
  return decisions
    .filter((decision) => decision.turn_id === event.turn?.turn_id && decision.status === 'active')
    .flatMap((decision) => [
      ...(decision.overrides === null ? [] : [{ retract: keyOf(decision.overrides) }]),
      {
        assert: {
          ...keyOf(decision.id),
          value: decision.statement,
          source_package_id: packageId(repository, decision.turn_id),
          tags: ['decision', decision.run_id],
          ...(decision.rationale !== '' && { 'x-rationale': decision.rationale }),
        },
      },
    ]);
}
