import { asString } from '../../../kernel/json/loose.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { JournalEvent } from '../../../spine/journal/events/stored-event.ts';

/** One change of a project, as its followers see it. */
export interface Change {
  readonly seq: number;
  readonly type: string;
  readonly project_id: string;
  readonly at: string;
  readonly actor: { readonly id: string; readonly type?: string } | null;
  readonly ids: Readonly<Record<string, string>>;
  readonly content_hash: string | null;
}

/** The protocol's event types by the journal's: a session opens with or without a goal. */
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

/** The journal's types for the protocol's `wanted` ones; all of ours by default. */
export function journalTypes(wanted: readonly string[] | undefined): string[] {
  const all = Object.keys(WIRE_TYPES);
  return wanted ? all.filter((type) => wanted.includes(WIRE_TYPES[type] as string)) : all;
}

/** Undefined if the event is not for this reader: another's draft, or the opening of a standing session. */
export function changeOf(event: JournalEvent, reader: Actor): Change | undefined {
  const type = WIRE_TYPES[event.event.event_type];
  const payload: JsonObject = event.event.payload ?? {};
  if (type === undefined || payload.standing === true) return undefined;
  if (payload.status === 'draft' && !isBy(payload, reader)) return undefined;
  const ids: Record<string, string> = {};
  for (const name of ['package_id', 'fact_id', 'session_id', 'project_id', 'supersedes', 'sha256']) {
    const id = asString(payload[name]);
    if (id !== undefined) ids[name] = id;
  }
  if (type.startsWith('session.')) ids.session_id ??= event.sessionId;
  const actorId = asString(payload.actor_id ?? payload.agent_id);
  const actorType = asString(payload.actor_type);
  return {
    seq: event.projectSeq,
    type,
    project_id: event.projectId,
    at: event.event.timestamp,
    actor:
      actorId === undefined ? null : { id: actorId, ...(actorType !== undefined && { type: actorType }) },
    ids,
    content_hash: asString(payload.content_hash) ?? null,
  };
}

function isBy(payload: JsonObject, reader: Actor): boolean {
  const id = payload.author_id ?? payload.actor_id;
  const type = payload.author_type ?? payload.actor_type;
  return id === reader.id && type === reader.type;
}
