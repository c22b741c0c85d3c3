import type { Json, JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { JournalEvent } from '../../../spine/journal/events/stored-event.ts';

/** What a follower of a project is told. */
export interface Change {
  readonly seq: number;
  readonly type: string;
  readonly project_id: string;
  readonly at: string;
  readonly actor: { readonly id: string; readonly type?: string } | null;
  readonly ids: Readonly<Record<string, string>>;
  readonly content_hash: string | null;
}

/** The protocol's types by those of the journal: a session opens with or without a goal. */
const WIRE_TYPES: Readonly<Record<string, string>> = {
  'package.deposited': 'package.deposited',
  'package.transitioned': 'package.transitioned',
  'package.redacted': 'package.redacted',
  'package.attested': 'package.attested',
  'blob.stored': 'blob.stored',
  'fact.asserted': 'fact.asserted',
  'fact.invalidated': 'fact.invalidated',
  'session.opened': 'session.started',
  'session.started': 'session.started',
  'session.closed': 'session.ended',
  'session.ended': 'session.ended',
  'project.created': 'project.created',
  'project.changed': 'project.changed',
  'project.archived': 'project.archived',
  'project.restored': 'project.restored',
};

/** The journal's types that stand for the wanted ones; all of ours without a wish. */
export function journalTypes(wanted: readonly string[] | undefined): string[] {
  const all = Object.keys(WIRE_TYPES);
  return wanted ? all.filter((type) => wanted.includes(WIRE_TYPES[type] as string)) : all;
}

/** Undefined where the event is not for this reader: another's draft, or the opening of a standing session. */
export function changeOf(event: JournalEvent, reader: Actor): Change | undefined {
  const type = WIRE_TYPES[event.event.event_type];
  const payload: JsonObject = event.event.payload ?? {};
  if (type === undefined || payload.standing === true) return undefined;
  if (payload.status === 'draft' && !isBy(payload, reader)) return undefined;
  const ids: Record<string, string> = {};
  for (const name of ['package_id', 'fact_id', 'session_id', 'project_id', 'supersedes', 'sha256']) {
    const id = payload[name];
    if (typeof id === 'string') ids[name] = id;
  }
  if (type.startsWith('session.')) ids.session_id ??= event.sessionId;
  const actorId = payload.actor_id ?? payload.agent_id;
  const actorType = payload.actor_type;
  return {
    seq: event.projectSeq,
    type,
    project_id: event.projectId,
    at: event.event.timestamp,
    actor:
      typeof actorId === 'string'
        ? { id: actorId, ...(typeof actorType === 'string' && { type: actorType }) }
        : null,
    ids,
    content_hash: text(payload.content_hash),
  };
}

function isBy(payload: JsonObject, reader: Actor): boolean {
  const id = payload.author_id ?? payload.actor_id;
  const type = payload.author_type ?? payload.actor_type;
  return id === reader.id && type === reader.type;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
